package dev.ron.proof.code;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies point one way: kernel, http, service, the services, node; token and ledger are leaves. */
class ModuleDirectionTest {
    private static final List<String> SERVICES = List.of("gateway", "edge", "passport", "registry", "admin", "cluster");
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.ron");

    private static ArchRule mayNotUse(String module, Stream<String> others) {
        return noClasses()
                .that()
                .resideInAPackage("dev.ron." + module + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        others.map(other -> "dev.ron." + other + "..").toArray(String[]::new))
                .allowEmptyShould(true);
    }

    @Test
    void dependenciesPointOneWay() {
        Stream<String> above = Stream.concat(SERVICES.stream(), Stream.of("node"));
        List<String> higher = above.toList();
        mayNotUse("kernel", Stream.concat(higher.stream(), Stream.of("http", "service", "token", "ledger")))
                .check(ALL);
        mayNotUse("token", Stream.concat(higher.stream(), Stream.of("kernel", "http", "service")))
                .check(ALL);
        mayNotUse("ledger", Stream.concat(higher.stream(), Stream.of("kernel", "http", "service")))
                .check(ALL);
        mayNotUse("http", Stream.concat(higher.stream(), Stream.of("service"))).check(ALL);
        mayNotUse("service", higher.stream()).check(ALL);
        for (String service : SERVICES) {
            mayNotUse(service, higher.stream().filter(other -> !other.equals(service)))
                    .check(ALL);
        }
    }

    // no file, no socket, no thread of its own: whoever uses it says when and with what it works
    @Test
    void tokensAreReadAndWrittenWithoutAnyIo() {
        ioFree("token").check(ALL);
        assertThatThrownBy(() -> ioFree("passport").check(ALL)).isInstanceOf(AssertionError.class);
    }

    private static ArchRule ioFree(String module) {
        return noClasses()
                .that()
                .resideInAPackage("dev.ron." + module + "..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(
                        "java\\.nio\\.(file|channels)\\..*|java\\.net\\.(.*Socket.*|URL.*|http\\..*)"
                                + "|java\\.io\\.(File.*|RandomAccessFile)|java\\.lang\\.Thread|java\\.util\\.concurrent\\.Executor.*");
    }

    @Test
    void theRuleSeesWhatIsThere() {
        assertThat(ALL.stream().map(type -> type.getPackageName())).anyMatch(name -> name.startsWith("dev.ron.kernel"));
        assertThatThrownBy(() -> mayNotUse("http", Stream.of("kernel")).check(ALL))
                .isInstanceOf(AssertionError.class);
    }
}
