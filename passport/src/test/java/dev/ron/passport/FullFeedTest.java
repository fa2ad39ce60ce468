package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As much as the office may remember, on the heap that {@code ron up} has. */
@Timeout(120)
class FullFeedTest {
    @TempDir
    Path folder;

    // four services of one process ask for the whole set at once  ->  they get it, and the heap is enough
    @Test
    void theLargestFeedFitsTheHeapWhileFourVerifiersReadItAtOnce() throws Exception {
        Path out = folder.resolve("out.txt");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-XX:+UseSerialGC",
                        "-Xmx216m", // what else a node needs has the rest of 256
                        "-XX:+ExitOnOutOfMemoryError",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullFeed.class.getName(),
                        Files.createDirectory(folder.resolve("office")).toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            int exit = process.waitFor();
            assertThat(Files.readString(out)).contains("all heard");
            assertThat(exit).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
