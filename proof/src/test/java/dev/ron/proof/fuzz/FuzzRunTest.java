package dev.ron.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fuzz targets with new inputs, each in a JVM of its own, as Jazzer wants it: with {@code -Dron.long=true} every target
 * of every service, else one for a moment. Kept inputs are replayed in any run, by the targets themselves.
 */
class FuzzRunTest {
    private static final boolean LONG = Boolean.getBoolean("ron.long");
    private static final int SECONDS = LONG ? 60 : 1;
    private static final String TASTE = "dev.ron.proof.edge.EdgeFuzzTest.codings";

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource
    void noInputBreaksTheTarget(String target) throws Exception {
        int dot = target.lastIndexOf('.');
        Path output = folder.resolve("out.txt");
        // What it finds and its corpus stay in the working folder; an input that breaks the target is in the output,
        // too.
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx768m",
                        "-XX:+EnableDynamicAgentLoading",
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + target.substring(0, dot),
                        "--target_method=" + target.substring(dot + 1),
                        "--instrumentation_includes=dev.ron.**",
                        "-max_total_time=" + SECONDS)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        String said = Files.readString(output, StandardCharsets.ISO_8859_1);
        assertThat(exit).as(said).isZero();
        assertThat(said).containsPattern("Done [0-9]+ runs in");
    }

    static List<String> noInputBreaksTheTarget() throws IOException {
        List<String> all;
        try (Stream<Path> files = Files.walk(classes())) {
            all = files.map(file -> classes().relativize(file).toString())
                    .filter(name -> name.endsWith("FuzzTest.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .flatMap(FuzzRunTest::targets)
                    .sorted()
                    .toList();
        }
        assertThat(all).contains(TASTE).hasSizeGreaterThan(20);
        return LONG ? all : List.of(TASTE);
    }

    private static Path classes() {
        return Path.of(FuzzRunTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    private static Stream<String> targets(String name) {
        try {
            return Arrays.stream(Class.forName(name).getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(FuzzTest.class))
                    .map(Method::getName)
                    .map(method -> name + "." + method);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
