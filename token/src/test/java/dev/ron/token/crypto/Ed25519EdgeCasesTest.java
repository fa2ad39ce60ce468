package dev.ron.token.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.TestIssuer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The known ways to trip an Ed25519 verifier, asked of every implementation that can be chosen. */
class Ed25519EdgeCasesTest {
    private static final byte[] SEED = TestIssuer.bytes(0);
    private static final byte[] MESSAGE = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final BigInteger SCALAR = EdwardsReference.scalar(SEED);
    private static final Ed25519Key KEY = Signatures.publicKey(SEED);
    private static final BigInteger R = new BigInteger("123456789012345678901234567890");

    static Stream<Signatures> engines() {
        return Stream.of(Signatures.best(), Signatures.portable());
    }

    @Test
    @EnabledOnOs(architectures = "amd64")
    void bothImplementationsAreUnderTestHere() {
        assertThat(engines().map(Signatures::engine)).containsExactly("accp", "bouncycastle");
    }

    @ParameterizedTest
    @MethodSource("engines")
    void signsAsRfc8032AndAcceptsItsOwn(Signatures engine) {
        // RFC 8032, 7.1, test 2
        byte[] seed = hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
        byte[] message = {0x72};
        byte[] expected = hex("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
        assertThat(engine.sign(seed, message)).isEqualTo(expected);
        assertThat(engine.verify(Signatures.publicKey(seed), message, expected)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aReadySignerAndThePublicHalfAreTheSameInEveryEngine(Signatures engine) {
        for (int i = 0; i < 50; i++) {
            byte[] seed = Sha256.of(new byte[] {(byte) i});
            assertThat(engine.publicText(seed))
                    .isEqualTo(Signatures.publicKey(seed).encoded());
            Signer signer = engine.signer(seed);
            assertThat(signer.sign(MESSAGE)).isEqualTo(Signatures.portable().sign(seed, MESSAGE));
            byte[] other = {(byte) i};
            assertThat(signer.sign(other)).isEqualTo(Signatures.portable().sign(seed, other));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void anyChangedBitIsRefused(Signatures engine) {
        byte[] good = engine.sign(SEED, MESSAGE);
        for (int bit = 0; bit < 512; bit += 7) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(engine.verify(KEY, MESSAGE, bad)).as("bit %d", bit).isFalse();
        }
        assertThat(engine.verify(KEY, "hellp".getBytes(StandardCharsets.US_ASCII), good))
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void scalarsFromLUpwardsAreRefused(Signatures engine) {
        byte[] good = engine.sign(SEED, MESSAGE);
        BigInteger s = EdwardsReference.fromLittleEndian(Arrays.copyOfRange(good, 32, 64));
        for (BigInteger other = s.add(EdwardsReference.L);
                other.bitLength() <= 256;
                other = other.add(EdwardsReference.L)) {
            byte[] bad = good.clone();
            System.arraycopy(EdwardsReference.littleEndian(other), 0, bad, 32, 32);
            assertThat(engine.verify(KEY, MESSAGE, bad)).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void messagesOfAnySizeAreSignedAndVerified(Signatures engine) {
        for (int size : new int[] {0, 1, 1 << 20, (1 << 20) + 1, 3 << 20}) {
            byte[] message = new byte[size];
            assertThat(engine.verify(KEY, message, engine.sign(SEED, message)))
                    .as("%d bytes", size)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void wrongLengthsAreRefused(Signatures engine) {
        byte[] good = engine.sign(SEED, MESSAGE);
        for (int length : new int[] {0, 1, 32, 63, 65, 128}) {
            assertThat(engine.verify(KEY, MESSAGE, Arrays.copyOf(good, length)))
                    .as("%d bytes", length)
                    .isFalse();
        }
        assertThat(engine.verify(KEY, MESSAGE, new byte[64])).isFalse();
    }

    /** R is the identity and S = k a: the equation holds, and RFC 8032 accepts it. Only the canonical spelling may. */
    @ParameterizedTest
    @MethodSource("engines")
    void nonCanonicalSpellingsOfRAreRefused(Signatures engine) {
        byte[] canonical = EdwardsReference.IDENTITY.encode();
        assertThat(engine.verify(KEY, MESSAGE, signed(canonical))).isTrue();
        for (String spelling : new String[] {
            "0100000000000000000000000000000000000000000000000000000000000080",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        }) {
            assertThat(engine.verify(KEY, MESSAGE, signed(hex(spelling))))
                    .as(spelling)
                    .isFalse();
        }
    }

    private static byte[] signed(byte[] encodedIdentity) {
        return EdwardsReference.sign(encodedIdentity, BigInteger.ZERO, KEY.bytes(), SCALAR, MESSAGE);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aKeyOffTheCurveVerifiesNothing(Signatures engine) throws Refused {
        byte[] two = new byte[32];
        two[0] = 2;
        Ed25519Key offCurve = Ed25519Key.of(two);
        assertThat(engine.verify(offCurve, MESSAGE, engine.sign(SEED, MESSAGE))).isFalse();
        assertThatThrownBy(() -> Ed25519Key.ofIssuer(two)).isInstanceOf(Refused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000080",
                "0100000000000000000000000000000000000000000000000000000000000000",
                "0100000000000000000000000000000000000000000000000000000000000080",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
            })
    void smallOrderAndNonCanonicalKeysAreRefusedAtImport(String encoding) {
        assertThatThrownBy(() -> Ed25519Key.of(hex(encoding)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.WEAK_KEY));
    }

    /**
     * The one known difference: on points with a small-order part Bouncy Castle multiplies by the cofactor and ACCP does
     * not. Only who holds the private key can make such signatures, so nobody gains a power; an issuer's key with such a
     * part is refused at import, and where all verifiers must agree {@link Signatures#portable()} is used everywhere.
     */
    @Test
    void mixedOrderPointsAreRefusedAsIssuerKeysAndNeedThePrivateKeyOtherwise() throws Refused {
        byte[] mixedKey = KEYPOINT.plus(EdwardsReference.TORSION).encode();
        assertThatThrownBy(() -> Ed25519Key.ofIssuer(mixedKey))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.WEAK_KEY));

        byte[] mixedR =
                EdwardsReference.BASE.times(R).plus(EdwardsReference.TORSION).encode();
        byte[] signature = EdwardsReference.sign(mixedR, R, KEY.bytes(), SCALAR, MESSAGE);
        assertThat(Signatures.portable().verify(KEY, MESSAGE, signature)).isTrue();
        byte[] withoutTheKey = EdwardsReference.sign(mixedR, R, KEY.bytes(), SCALAR.add(BigInteger.ONE), MESSAGE);
        assertThat(engines().anyMatch(engine -> engine.verify(KEY, MESSAGE, withoutTheKey)))
                .isFalse();
    }

    private static final EdwardsReference.Point KEYPOINT = EdwardsReference.BASE.times(SCALAR);

    @Test
    void theReferenceAgreesWithTheLibraryOnHonestSignatures() {
        assertThat(KEYPOINT.encode()).isEqualTo(KEY.bytes());
        byte[] encodedR = EdwardsReference.BASE.times(R).encode();
        byte[] signature = EdwardsReference.sign(encodedR, R, KEY.bytes(), SCALAR, MESSAGE);
        assertThat(engines()).allMatch(engine -> engine.verify(KEY, MESSAGE, signature));
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
