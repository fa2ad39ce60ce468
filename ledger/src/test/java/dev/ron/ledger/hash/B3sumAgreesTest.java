package dev.ron.ledger.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.ObjWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person computes with {@code b3sum} is what the log says. */
@Timeout(60)
class B3sumAgreesTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void needed() {
        boolean there = Files.isExecutable(Path.of("/usr/bin/b3sum"));
        if (!there) {
            System.out.println("skipped: b3sum is not here (Debian's package b3sum)");
        }
        Assumptions.assumeTrue(there, "b3sum is not here");
    }

    @Test
    void ofObjectsAndOfBytesOfEveryChunkCount() throws Exception {
        var object = new ObjWriter().put("t", "example").put("name", "Zürich").end();
        assertThat(b3sum(CanonicalJson.bytes(object))).isEqualTo(B3.of(object).text());
        Random random = new Random(3);
        for (int length : new int[] {0, 1, 64, 1023, 1024, 1025, 4096, 100_000}) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertThat(b3sum(bytes))
                    .as(length + " bytes")
                    .isEqualTo(B3.of(bytes).text());
        }
    }

    private String b3sum(byte[] bytes) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(
                        "/usr/bin/b3sum",
                        Files.write(folder.resolve("bytes"), bytes).toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return "b3:" + Files.readString(said, StandardCharsets.UTF_8).split(" ", 2)[0];
    }
}
