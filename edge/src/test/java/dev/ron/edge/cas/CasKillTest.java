package dev.ron.edge.cas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.digest.Digest;
import dev.ron.kernel.time.Clock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process, killed while it writes. */
class CasKillTest {

    /** The process: commits blobs for ever and says so. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] args) {
            Random random = new Random();
            try (Cas cas = DiskCas.open(Path.of(args[0]), 1L << 30, Clock.system())) {
                while (true) {
                    try (Staged staged = cas.stage(1 << 24)) {
                        byte[] piece = new byte[8192];
                        int pieces = 1 + random.nextInt(40);
                        for (int i = 0; i < pieces; i++) {
                            random.nextBytes(piece);
                            staged.write(ByteBuffer.wrap(piece));
                        }
                        System.out.println(cas.commit(staged).digest().hex());
                    }
                }
            }
        }
    }

    @Test
    void killedInTheMiddleOfAWriteItLeavesOnlyWholeBlobs(@TempDir Path folder) throws Exception {
        for (int round = 0; round < 3; round++) {
            Digest last = writeUntilKilled(folder, 20 + 7 * round);
            try (Cas cas = DiskCas.open(folder, 1L << 30, Clock.system())) {
                assertThat(cas.open(last)).hasValueSatisfying(Blob::close);
                for (Path path : blobs(folder)) {
                    Digest digest = Digest.parse(path.getFileName().toString()).orElseThrow();
                    assertThat(cas.open(digest)).hasValueSatisfying(Blob::close);
                }
                assertThat(cas.stats().damaged()).isZero();
            }
        }
    }

    /** Returns the last blob that was reported before the kill. */
    private static Digest writeUntilKilled(Path folder, int commits) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String last = "";
            for (int i = 0; i < commits; i++) {
                String line = out.readLine();
                assertThat(line).as("the writer ended early").isNotNull();
                last = line;
            }
            process.destroyForcibly().waitFor();
            return Digest.parse(last).orElseThrow();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<Path> blobs(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("b3"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
