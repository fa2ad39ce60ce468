package dev.ron.proof.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.proof.code.fixture.RuleBreakers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outside the kernel nobody locks, starts a thread or queues without a bound. */
class CodeRulesTest {
    /** What is done outside the kernel all the same, and why. */
    private static final Map<Rules.Breach, String> ALLOWED = Map.of();

    @Test
    void onlyTheKernelLocksStartsThreadsAndQueuesWithoutABound() throws IOException {
        List<Rules.Breach> found = new ArrayList<>();
        List<String> modules = new ArrayList<>();
        for (Path module : modules()) {
            modules.add(module.getFileName().toString());
            try (Stream<Path> files = Files.walk(module.resolve("target/classes/dev"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".class")).toList()) {
                    found.addAll(Rules.check(Files.readAllBytes(file)));
                }
            }
        }
        assertThat(modules)
                .as("the modules that were looked at")
                .contains("edge", "gateway", "http", "ledger", "node", "service", "token");
        assertThat(found)
                .as("neither more nor less than what is allowed with a reason")
                .containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
    }

    /** Every module with compiled classes but the kernel itself and those that only test and measure. */
    private static List<Path> modules() throws IOException {
        // Tests run in their module's folder.
        try (Stream<Path> folders = Files.list(Path.of("..").toRealPath())) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("target/classes/dev")))
                    .filter(folder -> !List.of("kernel", "proof", "bench")
                            .contains(folder.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Monitor,monitorenter",
        "SynchronizedMethod,synchronized method",
        "RawLock,raw lock ReentrantLock",
        "Parks,raw lock LockSupport",
        "Queues,unbounded queue LinkedBlockingQueue",
        "Queues,unbounded queue ConcurrentLinkedQueue",
        "Queues,unbounded queue PriorityBlockingQueue",
        "Pools,Executors.newCachedThreadPool",
        "Async,CompletableFuture.runAsync without an executor",
        "Starts,Thread.start",
        "Starts,Thread.<init>",
        "StartsVirtual,Thread.startVirtualThread",
        "Builds,Thread.ofVirtual",
        "StartsByReference,Thread.start",
        "Times,Timer"
    })
    void aBreachIsFound(String type, String what) throws IOException {
        assertThat(fixture(type)).extracting(Rules.Breach::what).contains(what);
    }

    @Test
    void theInnocentIsNotAccused() throws IOException {
        assertThat(fixture("Innocent")).isEmpty();
    }

    private static List<Rules.Breach> fixture(String type) throws IOException {
        try (InputStream in = RuleBreakers.class.getResourceAsStream("RuleBreakers$" + type + ".class")) {
            assertThat(in).isNotNull();
            return Rules.check(in.readAllBytes());
        }
    }
}
