package dev.ron.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.token.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.junit.jupiter.api.Test;

class SignInTest {
    private static final Ed25519PrivateKeyParameters KEY = new Ed25519PrivateKeyParameters(new byte[32], 0);

    private static String token(String iss, String sub, byte flaw) {
        long now = Instant.now().getEpochSecond();
        String text = Base64Url.encode("{\"alg\":\"EdDSA\",\"typ\":\"at+jwt\",\"kid\":\"k1\"}") + "."
                + Base64Url.encode("{\"iss\":\"" + iss + "\",\"aud\":\"svc-admin\",\"sub\":\"" + sub
                        + "\",\"client_id\":\"c\",\"jti\":\"j\",\"iat\":" + now + ",\"exp\":" + (now + 300) + "}");
        Ed25519Signer signer = new Ed25519Signer();
        signer.init(true, KEY);
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        signer.update(bytes, 0, bytes.length);
        byte[] signature = signer.generateSignature();
        signature[0] ^= flaw;
        return text + "." + Base64Url.encode(signature);
    }

    /** Everybody behind one proxy has one address: who tries bad tokens there must not shut the others out. */
    @Test
    void badTokensOfOneDoNotShutOutTheOthersAtTheSameAddress() throws Exception {
        AtomicBoolean up = new AtomicBoolean();
        String jwks =
                "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"alg\":\"EdDSA\",\"use\":\"sig\",\"kid\":\"k1\",\"x\":\""
                        + Base64Url.encode(KEY.generatePublicKey().getEncoded()) + "\"}]}";
        try (RawServer issuer = new RawServer((peer, n) -> {
                    while (!peer.readRequest().isEmpty()) {
                        peer.write(FakeNode.answer(up.get() ? 200 : 500, "application/jwk-set+json", jwks));
                    }
                });
                ConsoleProcess console = ConsoleProcess.with(
                        "admin.auth.mode=passport", "admin.auth.passport_base_url=" + issuer.url(""))) {
            String iss = issuer.url("");
            for (int i = 0; i < 8; i++) {
                assertThat(signIn(console, token(iss, "ann", (byte) 0)).status())
                        .as("an issuer that is away is nobody's bad token")
                        .isEqualTo(503);
            }
            up.set(true);
            Eventually.await("the keys are here", () -> console.get("/readyz").status() == 200);
            for (int i = 0; i < 5; i++) {
                assertThat(signIn(console, token(iss, "eve" + i, (byte) 1)).status())
                        .isEqualTo(401);
            }
            ConsoleProcess.Answer sixth = signIn(console, token(iss, "eve", (byte) 1));
            assertThat(sixth.status()).isEqualTo(429);
            assertThat(Integer.parseInt(sixth.header("Retry-After"))).isBetween(1, 60);
            ConsoleProcess.Answer good = signIn(console, token(iss, "ann", (byte) 0));
            assertThat(good.status()).isEqualTo(204);
            assertThat(good.header("Set-Cookie")).startsWith("ron_passport=ey");
        }
    }

    private static ConsoleProcess.Answer signIn(ConsoleProcess console, String token) {
        return console.send(
                "POST",
                "/api/session",
                "{\"token\":\"" + token + "\"}",
                "Origin",
                "http://127.0.0.1:" + console.port(),
                "Content-Type",
                "application/json");
    }
}
