package dev.ron.http.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.decode.BodyDecoder.Progress;
import dev.ron.http.decode.DecodeFailure.Kind;
import dev.ron.http.testing.NoBufferLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoBufferLeaks.class)
class BodyDecoderTest {
    private static final int MIB = 1 << 20;
    private static final DecodeLimits WIDE = new DecodeLimits(64L * MIB, 1_000_000, 65_536);

    private static byte[] decode(ContentCoding coding, byte[] body, DecodeLimits limits) {
        ByteBuf result =
                BodyDecoder.decode(Unpooled.wrappedBuffer(body), coding, limits, PooledByteBufAllocator.DEFAULT);
        try {
            return ByteBufUtil.getBytes(result);
        } finally {
            result.release();
        }
    }

    /** Feeds pieces of random size, takes pieces of random room. */
    private static byte[] decodeInPieces(ContentCoding coding, byte[] body, DecodeLimits limits, Random random) {
        ByteBuf all = Unpooled.buffer();
        ByteBuf piece = Unpooled.buffer(BodyDecoder.STEP_BYTES);
        try (BodyDecoder decoder = new BodyDecoder(coding, limits)) {
            int at = 0;
            ByteBuf input = Unpooled.EMPTY_BUFFER;
            Progress progress = Progress.NEEDS_INPUT;
            while (progress != Progress.DONE) {
                if (progress == Progress.NEEDS_INPUT) {
                    assertThat(input.isReadable()).isFalse();
                    int n = Math.min(body.length - at, random.nextInt(random.nextBoolean() ? 3 : 9000));
                    input = Unpooled.wrappedBuffer(body, at, n);
                    at += n;
                }
                piece.clear().capacity(1 + random.nextInt(BodyDecoder.STEP_BYTES));
                progress = decoder.step(input, at == body.length, piece);
                all.writeBytes(piece);
            }
            return ByteBufUtil.getBytes(all);
        }
    }

    private static byte[] mixed(int size, int zeroEvery, long seed) {
        Random random = new Random(seed);
        byte[] plain = new byte[size];
        for (int i = 0; i < size; i += 512) {
            if (random.nextInt(10) >= zeroEvery) {
                byte[] noise = new byte[Math.min(512, size - i)];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, plain, i, noise.length);
            }
        }
        return plain;
    }

    @Property(tries = 150)
    void anyCuttingGivesTheSameBytes(
            @ForAll ContentCoding coding,
            @ForAll @IntRange(max = 300_000) int size,
            @ForAll @IntRange(max = 10) int zeroes,
            @ForAll long seed) {
        byte[] plain = mixed(size, zeroes, seed);
        byte[] body = Coded.encode(coding, plain);
        assertThat(decode(coding, body, WIDE)).isEqualTo(plain);
        assertThat(decodeInPieces(coding, body, WIDE, new Random(seed))).isEqualTo(plain);
    }

    @Property(tries = 150)
    void theVerdictDependsOnTheBodyAlone(
            @ForAll ContentCoding coding,
            @ForAll @IntRange(min = 60_000, max = 400_000) int size,
            @ForAll @IntRange(min = 6, max = 10) int zeroes,
            @ForAll @IntRange(min = 100_000, max = 400_000) int cap,
            @ForAll long seed) {
        byte[] body = Coded.encode(coding, mixed(size, zeroes, seed));
        DecodeLimits limits = new DecodeLimits(cap, 10, 65_536);
        String whole = verdict(() -> decode(coding, body, limits));
        for (int i = 0; i < 4; i++) {
            Random random = new Random(seed + i);
            assertThat(verdict(() -> decodeInPieces(coding, body, limits, random)))
                    .isEqualTo(whole);
        }
    }

    private static String verdict(java.util.function.Supplier<byte[]> decoding) {
        try {
            return "decoded " + Arrays.hashCode(decoding.get());
        } catch (DecodeFailure e) {
            return e.kind() + " " + e.detail();
        }
    }

    @ParameterizedTest
    @EnumSource(ContentCoding.class)
    void bombsAreStoppedByTheRatioLongBeforeTheyUnfold(ContentCoding coding) {
        byte[] bomb = Coded.encode(coding, new byte[32 * MIB]);
        assertThat(bomb.length).isLessThan(MIB);
        ByteBuf out = Unpooled.buffer(BodyDecoder.STEP_BYTES);
        try (BodyDecoder decoder = new BodyDecoder(coding, DecodeLimits.DEFAULT)) {
            ByteBuf in = Unpooled.wrappedBuffer(bomb);
            assertThatExceptionOfType(DecodeFailure.class)
                    .isThrownBy(() -> {
                        for (int i = 0; i < 8; i++) {
                            decoder.step(in, true, out.clear());
                        }
                    })
                    .returns(Kind.RATIO, DecodeFailure::kind)
                    .returns("decoded_ratio", DecodeFailure::reason)
                    .returns(413, e -> e.code().status());
        }
    }

    @ParameterizedTest
    @EnumSource(ContentCoding.class)
    void theAbsoluteCapHoldsToTheByte(ContentCoding coding) {
        byte[] plain = mixed(300_000, 0, 1);
        byte[] body = Coded.encode(coding, plain);
        assertThat(decode(coding, body, new DecodeLimits(plain.length, 10, 0))).isEqualTo(plain);
        assertThatExceptionOfType(DecodeFailure.class)
                .isThrownBy(() -> decode(coding, body, new DecodeLimits(plain.length - 1, 10, 0)))
                .returns(Kind.CAP, DecodeFailure::kind);
    }

    @ParameterizedTest
    @EnumSource(ContentCoding.class)
    void smallRepetitiveBodiesMayExceedTheRatio(ContentCoding coding) {
        byte[] plain = new byte[65_536];
        assertThat(decode(coding, Coded.encode(coding, plain), DecodeLimits.DEFAULT))
                .isEqualTo(plain);
        byte[] more = Coded.encode(coding, new byte[65_537]);
        assertThatThrownBy(() -> decode(coding, more, DecodeLimits.DEFAULT)).isInstanceOf(DecodeFailure.class);
    }

    @Test
    void theRatioHoldsToTheByte() {
        byte[] plain = new byte[100_000];
        int bare = Coded.gzipWithHead(plain, 0, true).length;
        byte[] exact = Coded.gzipWithHead(plain, 10_000 - bare, true); // 10,000 bytes in, 100,000 out
        byte[] over = Coded.gzipWithHead(plain, 9_999 - bare, true);
        assertThat(decode(ContentCoding.GZIP, exact, DecodeLimits.DEFAULT)).isEqualTo(plain);
        assertThatExceptionOfType(DecodeFailure.class)
                .isThrownBy(() -> decode(ContentCoding.GZIP, over, DecodeLimits.DEFAULT))
                .returns(Kind.RATIO, DecodeFailure::kind);
    }

    @Test
    void gzipMembersCountAsOneStream() {
        byte[] member = Coded.encode(ContentCoding.GZIP, new byte[60_000]);
        byte[] text = Coded.encode(ContentCoding.GZIP, "ab".getBytes(UTF_8));
        assertThat(decode(ContentCoding.GZIP, Coded.join(text, text, text), DecodeLimits.DEFAULT))
                .isEqualTo("ababab".getBytes(UTF_8));
        assertThatExceptionOfType(DecodeFailure.class)
                .isThrownBy(() -> decode(ContentCoding.GZIP, Coded.join(member, member), DecodeLimits.DEFAULT))
                .returns(Kind.RATIO, DecodeFailure::kind);
    }

    @Test
    void zstdFramesCountAsOneStream() {
        byte[] text = Coded.encode(ContentCoding.ZSTD, "ab".getBytes(UTF_8));
        byte[] skippable = {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3};
        byte[] body = Coded.join(text, skippable, text);
        assertThat(decode(ContentCoding.ZSTD, body, DecodeLimits.DEFAULT)).isEqualTo("abab".getBytes(UTF_8));
        assertThat(decodeInPieces(ContentCoding.ZSTD, body, DecodeLimits.DEFAULT, new Random(1)))
                .isEqualTo("abab".getBytes(UTF_8));
        byte[] aligned = Coded.join(Coded.encode(ContentCoding.ZSTD, mixed(4096 - 12, 0, 3)), text);
        assertThat(decode(ContentCoding.ZSTD, aligned, DecodeLimits.DEFAULT)).endsWith("ab".getBytes(UTF_8));
    }

    @ParameterizedTest
    @EnumSource(ContentCoding.class)
    void everyTruncationIsRefused(ContentCoding coding) {
        byte[] body = Coded.encode(coding, mixed(700, 5, 7));
        for (int length = 0; length < body.length; length++) {
            byte[] cut = Arrays.copyOf(body, length);
            assertThatExceptionOfType(DecodeFailure.class)
                    .as("%s cut to %s", coding, length)
                    .isThrownBy(() -> decode(coding, cut, DecodeLimits.DEFAULT))
                    .returns(Kind.MALFORMED, DecodeFailure::kind)
                    .returns(400, e -> e.code().status());
        }
    }

    @ParameterizedTest
    @EnumSource(ContentCoding.class)
    void bytesAfterTheEndAreRefused(ContentCoding coding) {
        byte[] body = Coded.encode(coding, "hello".getBytes(UTF_8));
        byte[] large = Coded.encode(coding, mixed(20_000, 0, 3));
        for (byte[] good : List.of(body, large)) {
            for (byte[] more : List.of(new byte[1], new byte[] {0x1F}, "garbage".getBytes(UTF_8), new byte[9000])) {
                assertThatExceptionOfType(DecodeFailure.class)
                        .isThrownBy(() -> decode(coding, Coded.join(good, more), DecodeLimits.DEFAULT))
                        .returns(Kind.MALFORMED, DecodeFailure::kind);
            }
        }
    }

    @Property(tries = 400)
    void damagedBodiesGiveATypedFailureOrTheBody(
            @ForAll ContentCoding coding, @ForAll @IntRange(max = 5000) int size, @ForAll Random random) {
        byte[] body = Coded.encode(coding, mixed(size, 5, size));
        for (int i = 0; i < 3; i++) {
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
        try {
            decode(coding, body, DecodeLimits.DEFAULT);
        } catch (DecodeFailure e) {
            assertThat(e.detail()).isNotEmpty();
        }
    }

    @Test
    void gzipHeadFieldsAreReadAndChecked() {
        byte[] plain = "hello".getBytes(UTF_8);
        assertThat(decode(ContentCoding.GZIP, Coded.gzipWithHead(plain, 300, true), WIDE))
                .isEqualTo(plain);
        assertThat(decode(ContentCoding.GZIP, Coded.gzipWithHead(plain, 0, true), WIDE))
                .isEqualTo(plain);
        byte[] badHead = Coded.gzipWithHead(plain, 5, false);
        assertThatThrownBy(() -> decode(ContentCoding.GZIP, badHead, WIDE)).isInstanceOf(DecodeFailure.class);
        for (int at : new int[] {-8, -5, -4, -1}) { // check sum and length of the data
            byte[] body = Coded.encode(ContentCoding.GZIP, plain);
            body[body.length + at] ^= 1;
            assertThatThrownBy(() -> decode(ContentCoding.GZIP, body, WIDE)).isInstanceOf(DecodeFailure.class);
        }
    }

    @Test
    void bareDeflateDataIsRefusedAsAmbiguous() {
        byte[] zlib = Coded.encode(ContentCoding.DEFLATE, "hello".getBytes(UTF_8));
        byte[] bare = Arrays.copyOfRange(zlib, 2, zlib.length - 4);
        assertThatThrownBy(() -> decode(ContentCoding.DEFLATE, bare, WIDE))
                .isInstanceOf(DecodeFailure.class)
                .hasMessageContaining("zlib");
    }

    @Test
    void windowsBeyondEightMebibytesAreRefused() throws Exception {
        byte[] plain = mixed(50_000, 0, 5);
        assertThat(decode(ContentCoding.ZSTD, Coded.zstdWithWindow(plain, 23), WIDE))
                .isEqualTo(plain);
        assertThat(decode(ContentCoding.BR, Coded.brotli(plain, 22), WIDE)).isEqualTo(plain);
        byte[] zstd = Coded.zstdWithWindow(plain, 24);
        byte[] brotli = Coded.brotli(plain, 24);
        assertThatExceptionOfType(DecodeFailure.class)
                .isThrownBy(() -> decode(ContentCoding.ZSTD, zstd, WIDE))
                .returns(Kind.CAP, DecodeFailure::kind);
        assertThatExceptionOfType(DecodeFailure.class)
                .isThrownBy(() -> decode(ContentCoding.BR, brotli, WIDE))
                .returns(Kind.CAP, DecodeFailure::kind);
    }

    @Test
    void oneStepNeverWritesMoreThan64KiB() {
        byte[] body = Coded.encode(ContentCoding.GZIP, mixed(500_000, 9, 2));
        ByteBuf out = Unpooled.buffer(200_000);
        try (BodyDecoder decoder = new BodyDecoder(ContentCoding.GZIP, WIDE)) {
            ByteBuf in = Unpooled.wrappedBuffer(body);
            while (decoder.step(in, true, out.clear()) != Progress.DONE) {
                assertThat(out.readableBytes()).isLessThanOrEqualTo(BodyDecoder.STEP_BYTES);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip, gzip", "gzip,br", "compress", "identity, gzip", "gzip;q=1", "gzip,", "GZ", "*"})
    void stackedAndUnknownCodingsAreRefused(String value) {
        assertThatExceptionOfType(DecodeFailure.class)
                .isThrownBy(() -> ContentCoding.of(List.of(value)))
                .returns(Kind.ENCODING, DecodeFailure::kind)
                .returns("encoding", DecodeFailure::reason)
                .returns(415, e -> e.code().status());
        assertThatThrownBy(() -> ContentCoding.of(List.of("gzip", "gzip"))).isInstanceOf(DecodeFailure.class);
    }

    @Test
    void oneKnownCodingIsFoundInAnyCase() {
        assertThat(ContentCoding.of(List.of())).isEmpty();
        assertThat(ContentCoding.of(List.of("Identity"))).isEmpty();
        assertThat(ContentCoding.of(List.of(" GZip "))).contains(ContentCoding.GZIP);
        assertThat(ContentCoding.of(List.of("x-gzip"))).contains(ContentCoding.GZIP);
        assertThat(ContentCoding.of(List.of("deflate"))).contains(ContentCoding.DEFLATE);
        assertThat(ContentCoding.of(List.of("br"))).contains(ContentCoding.BR);
        assertThat(ContentCoding.of(List.of("zstd"))).contains(ContentCoding.ZSTD);
    }
}
