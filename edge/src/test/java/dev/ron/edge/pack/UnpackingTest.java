package dev.ron.edge.pack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compressed bytes that somebody spoiled are refused by name, or are what they were. */
class UnpackingTest {
    private static final int ROUNDS = 10_000;
    private static final int BOUND = 64 << 10;
    private static final int KINDS = 31;

    @ParameterizedTest
    @CsvSource({"NONE", "GZIP", "ZLIB", "ZSTD", "BROTLI"})
    void theBoundIsExact(Coding coding) {
        byte[] most = new byte[BOUND];
        assertThat(Unpacking.unpack(coding, Packing.pack(coding, most), BOUND, "a tile"))
                .isEqualTo(most);
        PackError beyond = catchThrowableOfType(
                PackError.class,
                () -> Unpacking.unpack(coding, Packing.pack(coding, new byte[BOUND + 1]), BOUND, "a tile"));
        assertThat(beyond.fault()).isEqualTo(PackFault.TOO_LARGE);
    }

    // a gzip header has ten bytes and a checksum behind it; zstd's frame header has six, and a length that must be met
    @ParameterizedTest
    @CsvSource({"GZIP, 10", "ZLIB, 2", "ZSTD, 6"})
    void aSpoiledHeaderIsRefusedOrDoesNoHarm(Coding coding, int headerBytes) {
        EnumSet<PackFault> met = EnumSet.noneOf(PackFault.class);
        List<byte[]> plains = plains();
        List<byte[]> streams = packed(coding, plains);
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] plain = plains.get(seed % KINDS);
            byte[] stored = streams.get(seed % KINDS).clone();
            spoil(random, stored, headerBytes);
            try {
                assertThat(Unpacking.unpack(coding, stored, BOUND, "a tile"))
                        .as(coding + ", seed " + seed)
                        .isEqualTo(plain);
            } catch (PackError refused) {
                met.add(refused.fault());
            }
        }
        assertThat(met).contains(PackFault.BAD_CODING);
    }

    // any bytes of the stream spoiled, or its end gone; behind it may be more than is allowed
    @ParameterizedTest
    @CsvSource({"GZIP", "ZLIB", "ZSTD", "BROTLI"})
    void aSpoiledStreamEndsWithinItsBoundOrIsRefused(Coding coding) {
        EnumSet<PackFault> met = EnumSet.noneOf(PackFault.class);
        List<byte[]> streams = new ArrayList<>(packed(coding, plains()));
        streams.add(Packing.pack(coding, new byte[8 << 20]));
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] stored = streams.get(seed % streams.size()).clone();
            spoil(random, stored, random.nextBoolean() ? Math.min(24, stored.length) : stored.length);
            if (random.nextInt(4) == 0) {
                stored = Arrays.copyOf(stored, random.nextInt(stored.length));
            }
            try {
                assertThat(Unpacking.unpack(coding, stored, BOUND, "a tile").length)
                        .as(coding + ", seed " + seed)
                        .isLessThanOrEqualTo(BOUND);
            } catch (PackError refused) {
                met.add(refused.fault());
            }
        }
        assertThat(met).containsExactlyInAnyOrder(PackFault.BAD_CODING, PackFault.TOO_LARGE);
    }

    /** Some tiles, of words and of noise. */
    private static List<byte[]> plains() {
        Random random = new Random(KINDS);
        return Stream.generate(() -> {
                    byte[] noise = new byte[random.nextInt(200)];
                    random.nextBytes(noise);
                    return ("a tile of " + "words ".repeat(random.nextInt(40)) + new String(noise, ISO_8859_1))
                            .getBytes(ISO_8859_1);
                })
                .limit(KINDS)
                .toList();
    }

    private static List<byte[]> packed(Coding coding, List<byte[]> plains) {
        return plains.stream().map(plain -> Packing.pack(coding, plain)).toList();
    }

    /** Changes one to four of the first bytes. */
    private static void spoil(Random random, byte[] stored, int first) {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            stored[random.nextInt(first)] ^= (byte) (1 + random.nextInt(255));
        }
    }
}
