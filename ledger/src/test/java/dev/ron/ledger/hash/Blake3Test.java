package dev.ron.ledger.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class Blake3Test {

    /** The input of the official vectors: 0, 1, ... 250, 0, 1, ... */
    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i % 251);
        }
        return bytes;
    }

    // The lengths of the official test vectors; the answers were computed by the reference implementation (b3sum 1.2).
    @Test
    void givesTheReferenceAnswers() throws IOException {
        List<String> lines;
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("b3sum.txt"))) {
            lines = new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
        assertThat(lines).hasSizeGreaterThan(25);
        for (String line : lines) {
            List<String> vector = List.of(line.split(" ", -1));
            byte[] input = pattern(Integer.parseInt(vector.getFirst()));
            assertThat(B3.of(input)).as("%s bytes", vector.getFirst()).hasToString("b3:" + vector.getLast());
        }
    }

    @Property(tries = 200)
    void anyCutOfTheInputGivesTheSameDigest(@ForAll @IntRange(max = 20_000) int length, @ForAll long seed) {
        byte[] input = pattern(length);
        Random random = new Random(seed);
        Blake3 hash = new Blake3();
        int at = 0;
        while (at < length) {
            int n = Math.min(length - at, 1 + random.nextInt(random.nextBoolean() ? 100 : 3000));
            if (random.nextBoolean()) {
                hash.update(input, at, n);
            } else {
                hash.update(ByteBuffer.allocateDirect(n).put(input, at, n).flip());
            }
            at += n;
        }
        assertThat(hash.finish()).isEqualTo(Blake3.hash(input));
    }

    @Property(tries = 200)
    void agreesWithCommonsCodec(@ForAll @IntRange(max = 70_000) int length, @ForAll long seed) {
        byte[] input = new byte[length];
        new Random(seed).nextBytes(input);
        assertThat(Blake3.hash(input)).isEqualTo(org.apache.commons.codec.digest.Blake3.hash(input));
    }
}
