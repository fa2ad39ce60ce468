package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Profile micro, as the kernel sees it: strace lists every file that is opened for writing, made, moved or removed. */
@Timeout(180)
final class MicroWritesNothingTest {
    private static final Pattern OPENED =
            Pattern.compile("open(?:at)?\\((?:[^,]+, )?\"([^\"]*)\", [^)]*(?:O_WRONLY|O_RDWR|O_CREAT)");
    private static final Pattern CHANGED =
            Pattern.compile("(?:mkdir|rename|unlink|link|symlink|truncate)(?:at2?)?\\(.*\"([^\"]*)\"");

    @TempDir
    Path folder;

    @TempDir
    Path natives;

    @Test
    void noFileIsWrittenFromStartToStop() throws Exception {
        assumeTrue(straceWorks(), "skipped: strace is not here, or may not trace");
        Path trace = folder.resolve("trace.txt");
        List<String> command = new ArrayList<>(List.of(
                "strace",
                "-f",
                "--seccomp-bpf",
                "-qq",
                "-e",
                "signal=none",
                "-e",
                "trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,truncate",
                "-o",
                trace.toString()));
        List<String> java = new ArrayList<>(NodeProcess.java());
        // As the launcher does. A distribution has its native libraries unpacked; here the loaders do it, to a folder
        // we know.
        java.addAll(
                1, List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + natives, "-Dio.netty.native.workdir=" + natives));
        command.addAll(java);
        command.addAll(List.of("up", "--profile", "micro", "--port-base", "0"));
        Path out = folder.resolve("out.txt");
        Process strace = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
        try {
            Eventually.await("it is up", () -> read(out).contains("Ctrl-C") || !strace.isAlive());
            ProcessHandle node = strace.descendants().findFirst().orElseThrow();
            assertThat(node.destroy()).isTrue(); // SIGTERM
            assertThat(strace.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            strace.descendants().forEach(ProcessHandle::destroyForcibly);
            strace.destroyForcibly().waitFor();
        }
        assertThat(strace.exitValue())
                .as(Files.readString(folder.resolve("err.txt")))
                .isZero();
        assertThat(read(trace)).as("what is written is seen").contains(natives + "/", "O_CREAT");
        assertThat(written(trace)).isEmpty();
        assertThat(folder.resolve("data")).doesNotExist();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> written(Path trace) throws IOException {
        try (Stream<String> lines = Files.lines(trace)) {
            return lines.filter(line -> !line.contains("= -1 E"))
                    .flatMap(line -> Stream.of(OPENED.matcher(line), CHANGED.matcher(line)))
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .filter(path -> !path.startsWith(natives.toString()))
                    .filter(path -> !path.startsWith("/proc/") && !path.startsWith("/dev/"))
                    .toList();
        }
    }

    private static boolean straceWorks() throws InterruptedException {
        try {
            Process probe = new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return probe.waitFor(20, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException notThere) {
            return false;
        }
    }
}
