package dev.ron.ledger.sign;

import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    private static final HexFormat HEX = HexFormat.of();

    @Test
    void signsAsRfc8032Test2() {
        Ed25519SigningKey key = Ed25519SigningKey.ofSeed(
                HEX.parseHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"));
        assertThat(HEX.formatHex(key.verifyKey().bytes()))
                .isEqualTo("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
        assertThat(HEX.formatHex(key.sign(new byte[] {0x72})))
                .isEqualTo("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
    }

    /** Small order (first six), y >= p (next two), not on the curve, mixed order: keys on which verifiers disagree. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000000000000000000000000000000000000000000000000000000000000",
                "0100000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000080",
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
                "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                "0200000000000000000000000000000000000000000000000000000000000000",
                "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
            })
    void refusesKeysOnWhichVerifiersDisagree(String hex) {
        refuses(() -> Ed25519Key.of(HEX.parseHex(hex), "signer"), Reason.WEAK_KEY, "signer");
    }

    @Test
    void anUnreducedScalarIsNoSecondSignature() {
        Ed25519SigningKey key = Ed25519SigningKey.ofSeed(new byte[32]);
        byte[] message = "x".getBytes(StandardCharsets.US_ASCII);
        byte[] signature = key.sign(message);
        assertThat(key.verifyKey().verify(message, signature)).isTrue();
        assertThat(key.verifyKey().verify(message, plusGroupOrder(signature))).isFalse();
        assertThat(key.verifyKey().verify(message, new byte[0])).isFalse();
        assertThat(key.verifyKey().verify(message, new byte[65])).isFalse();
    }

    @Test
    void mlDsaSignsAndSurvivesItsEncodings() throws Refused {
        MlDsaSigningKey key = MlDsaSigningKey.generate(new SecureRandom());
        byte[] message = {1, 2, 3};
        byte[] signature = key.sign(message);
        MlDsaKey raw = MlDsaKey.of(key.verifyKey().bytes(), "x");
        assertThat(raw).isEqualTo(key.verifyKey());
        assertThat(raw.verify(message, signature)).isTrue();
        signature[100] ^= 1;
        assertThat(raw.verify(message, signature)).isFalse();
        assertThat(raw.verify(message, new byte[3])).isFalse();
        MlDsaSigningKey again = MlDsaSigningKey.of(key.pkcs8(), raw);
        assertThat(raw.verify(message, again.sign(message))).isTrue();
    }

    @Test
    void theKeyIdHashesAlgorithmAndKey() throws Refused {
        VerifyKey key = Ed25519SigningKey.ofSeed(new byte[32]).verifyKey();
        byte[] preimage = new byte[33];
        preimage[0] = 1;
        System.arraycopy(key.bytes(), 0, preimage, 1, 32);
        assertThat(key.keyId()).isEqualTo(dev.ron.ledger.hash.B3.of(preimage));
        assertThat(VerifyKey.of(Algorithm.ED25519, key.bytes(), "x").keyId()).isEqualTo(key.keyId());
    }

    @Test
    void secretsAreNotPrinted() {
        Ed25519SigningKey key = Ed25519SigningKey.ofSeed(new byte[32]);
        assertThat(key.toString()).startsWith("private key of ed25519 b3:").doesNotContain("00000000");
    }

    @Test
    void preAuthenticationEncodingIsAsDsseSpecifies() {
        assertThat(new String(
                        Dsse.preAuthenticationEncoding(
                                "http://example.com/HelloWorld", "hello world".getBytes(StandardCharsets.UTF_8)),
                        StandardCharsets.UTF_8))
                .isEqualTo("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    private static byte[] plusGroupOrder(byte[] signature) {
        BigInteger order = BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
        byte[] scalar = new byte[32];
        for (int i = 0; i < 32; i++) {
            scalar[i] = signature[63 - i];
        }
        byte[] sum = new BigInteger(1, scalar).add(order).toByteArray();
        byte[] forged = signature.clone();
        for (int i = 0; i < 32; i++) {
            int at = sum.length - 1 - i;
            forged[32 + i] = at < 0 ? 0 : sum[at];
        }
        return forged;
    }
}
