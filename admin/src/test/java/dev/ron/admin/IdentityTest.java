package dev.ron.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is believed, and who is not. */
class IdentityTest {

    @Test
    void anIngressIsBelievedOnlyFromItsNetwork() throws Exception {
        try (ConsoleProcess console =
                ConsoleProcess.with("admin.auth.mode=ingress", "admin.auth.ingress.trusted_proxies=10.0.0.0/8")) {
            ConsoleProcess.Answer answer = console.get("/api/nodes", "X-User", "ada", "X-Groups", "admin");
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body().path("reason").asString("")).isEqualTo("untrusted_proxy");
            assertThat(console.get("/api/nodes", "X-User", "a", "X-Forwarded-For", "10.0.0.1")
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void headersThatAreDoubledEmptyOrOddAreNoIdentity() throws Exception {
        try (ConsoleProcess console =
                ConsoleProcess.with("admin.auth.mode=ingress", "admin.auth.ingress.trusted_proxies=127.0.0.0/8")) {
            for (String fields : List.of(
                    "",
                    "X-User: \r\n",
                    "X-User: a\r\nX-User: b\r\n",
                    "X-User: a\r\nX-Groups: viewer\r\nX-Groups: admin\r\n",
                    "X-User: " + "a".repeat(300) + "\r\n")) {
                try (RawClient raw = new RawClient(console.port())) {
                    String request = "GET /api/nodes HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n";
                    assertThat(raw.send(request).read().status()).as(fields).isEqualTo(401);
                }
            }
            assertThat(console.get("/api/nodes", "X-User", "a", "X-Groups", " viewer , x")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void groupsBecomeRolesByTheMap() throws Exception {
        try (ConsoleProcess console = ConsoleProcess.with(
                "admin.auth.mode=ingress",
                "admin.auth.ingress.trusted_proxies=127.0.0.0/8",
                "admin.auth.role_map.sre=operator")) {
            assertThat(console.get("/api/me", "X-User", "a", "X-Groups", "sre")
                            .body()
                            .path("roles")
                            .toString())
                    .isEqualTo("[\"viewer\",\"operator\"]");
            assertThat(console.get("/api/me", "X-User", "a", "X-Groups", "root")
                            .body()
                            .path("roles"))
                    .isEmpty();
        }
    }

    // an issuer that is no passport office: keys wherever it has them, RSA, typ JWT, no feed
    @Test
    void aTokenOfAnOutsideIssuerSaysWhoAsks() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        String keys = "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"kid\":\"k\",\"n\":\"" + number(key.getModulus())
                + "\",\"e\":\"" + number(key.getPublicExponent()) + "\"}]}";
        AtomicReference<String> document = new AtomicReference<>("");
        RawServer login = new RawServer((peer, number) -> {
            for (String asked = peer.readRequest(); !asked.isEmpty(); asked = peer.readRequest()) {
                boolean discovery = asked.startsWith("GET /.well-known/openid-configuration ");
                String said = discovery ? document.get() : keys;
                String status = discovery || asked.startsWith("GET /certs ") ? "200 OK" : "404 Not Found";
                peer.write("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + said.length() + "\r\n\r\n" + said);
            }
        });
        String iss = "http://127.0.0.1:" + login.port();
        document.set("{\"issuer\":\"" + iss + "\",\"jwks_uri\":\"" + iss + "/certs\"}");
        String claims = "{\"iss\":\"" + iss + "\",\"aud\":\"svc-admin\",\"sub\":\"ann\",\"groups\":[\"sre\"],"
                + "\"iat\":" + Instant.now().getEpochSecond() + ",\"exp\":"
                + Instant.now().plusSeconds(300).getEpochSecond() + "}";
        String text = base64("{\"alg\":\"RS256\",\"kid\":\"k\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64(claims.getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(pair.getPrivate());
        signature.update(text.getBytes(StandardCharsets.US_ASCII));
        String bearer = "Bearer " + text + "." + base64(signature.sign());
        String[] settings = {
            "admin.auth.mode=passport",
            "admin.auth.issuer=" + iss,
            "admin.auth.jwks_url=" + iss + "/certs",
            "admin.auth.role_map.sre=operator"
        };
        try (login) {
            List<String> open = new ArrayList<>(List.of(settings));
            open.addAll(List.of("admin.auth.algs=RS256", "admin.auth.allow_untyped=true"));
            try (ConsoleProcess console = ConsoleProcess.with(open.toArray(String[]::new))) {
                Eventually.await(
                        "the keys",
                        () -> console.get("/api/me", "Authorization", bearer).status() == 200);
                assertThat(console.get("/api/me", "Authorization", bearer)
                                .body()
                                .path("roles")
                                .toString())
                        .isEqualTo("[\"viewer\",\"operator\"]");
                assertThat(console.get("/api/me", "Authorization", bearer.substring(0, bearer.length() - 4) + "AAAA")
                                .status())
                        .isEqualTo(401);
            }
            open.removeIf(setting -> setting.contains("jwks_url"));
            try (ConsoleProcess console = ConsoleProcess.with(open.toArray(String[]::new))) {
                Eventually.await(
                        "the keys, wherever the issuer says they are",
                        () -> console.get("/api/me", "Authorization", bearer).status() == 200);
            }
            try (ConsoleProcess console = ConsoleProcess.with(settings)) {
                Eventually.await(
                        "the keys",
                        () -> console.get("/api/me", "Authorization", bearer).status() == 401);
                assertThat(console.get("/api/me", "Authorization", bearer)
                                .body()
                                .path("reason")
                                .asString())
                        .as("RSA is taken only where that is said")
                        .isEqualTo("alg_refused");
            }
        }
    }

    private static String number(BigInteger value) {
        byte[] bytes = value.toByteArray();
        return base64(bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Test
    void aConfigurationThatWouldTrustEverybodyIsRefused() {
        assertThatThrownBy(() ->
                        ConsoleProcess.with("admin.auth.mode=ingress", "admin.auth.ingress.trusted_proxies=0.0.0.0/0"))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ConsoleProcess.with("admin.auth.mode=ingress")).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ConsoleProcess.with(
                        "admin.auth.mode=passport", "admin.auth.passport_base_url=http://10.0.0.5:8082"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("passport_base_url");
    }

    /** A passport office in another process is asked for its keys and, with a key of the console, for revocations. */
    @Test
    void anOfficeElsewhereIsAskedForItsRevocationsToo(@TempDir Path folder) throws Exception {
        Path key = folder.resolve("feed.key");
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, "the-feed-key");
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        try (RawServer issuer = new RawServer((peer, n) -> {
                    for (String head = peer.readRequest(); !head.isEmpty(); head = peer.readRequest()) {
                        asked.add(head);
                        peer.write(FakeNode.answer(200, "application/jwk-set+json", jwks()));
                    }
                });
                ConsoleProcess _ = ConsoleProcess.with(
                        "admin.auth.mode=passport",
                        "admin.auth.passport_base_url=" + issuer.url("") + "/",
                        "admin.auth.feed_key_file=" + key)) {
            Eventually.await(
                    "keys and revocations",
                    () -> asked.stream().anyMatch(head -> head.startsWith("GET /.well-known/jwks.json "))
                            && asked.stream()
                                    .anyMatch(head -> head.startsWith("GET /v1/passport/revocations")
                                            && head.contains("Bearer the-feed-key")));
            assertThat(asked).noneMatch(head -> head.startsWith("GET //"));
        }
    }

    /** The issuer is down: no key, so nobody is let in, and nobody is sent round in circles by a 401. */
    @Test
    void withoutKeysTheDoorIsClosedNotOpen() throws Exception {
        AtomicInteger fetches = new AtomicInteger();
        try (RawServer issuer = new RawServer((peer, n) -> {
                    peer.readRequest();
                    fetches.incrementAndGet();
                    peer.write("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n");
                });
                ConsoleProcess console = ConsoleProcess.with(
                        "admin.auth.mode=passport", "admin.auth.passport_base_url=" + issuer.url(""))) {
            Eventually.await("the issuer was asked", () -> fetches.get() > 0);
            ConsoleProcess.Answer answer = console.get("/api/nodes", "Authorization", "Bearer a.b.c");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body().path("reason").asString("")).isEqualTo("auth_unavailable");
            assertThat(console.get("/readyz").status()).isEqualTo(503);
        }
    }

    /** A thousand unknown key ids: at most one fetch in half a minute, besides the one at the start. */
    @Test
    void unknownKeyIdsDoNotBecomeAStormOfFetches() throws Exception {
        AtomicInteger fetches = new AtomicInteger();
        try (RawServer issuer = new RawServer((peer, n) -> {
                    while (!peer.readRequest().isEmpty()) {
                        fetches.incrementAndGet();
                        peer.write(FakeNode.answer(200, "application/jwk-set+json", jwks()));
                    }
                });
                ConsoleProcess console = ConsoleProcess.with(
                        "admin.auth.mode=passport", "admin.auth.passport_base_url=" + issuer.url(""))) {
            Eventually.await("the keys are here", () -> console.get("/readyz").status() == 200);
            long began = System.nanoTime();
            for (int i = 0; i < 1000; i++) {
                assertThat(console.get("/api/me", "Authorization", "Bearer " + token("kid" + i))
                                .status())
                        .isEqualTo(401);
            }
            long halfMinutes = Duration.ofNanos(System.nanoTime() - began).toSeconds() / 30;
            assertThat(fetches.get()).isLessThanOrEqualTo(2 + (int) halfMinutes);
            assertThat(console.count("svc_admin_auth_failures_total", Map.of())).isGreaterThanOrEqualTo(1000);
            // Neither a bad bearer beside a cookie, nor a token that is too long, nor one without a signature.
            for (String bad : List.of("x", "a".repeat(9000), token("k1"), "eyJhbGciOiJub25lIn0.e30.")) {
                assertThat(console.get("/api/me", "Authorization", "Bearer " + bad, "Cookie", "ron_passport=y")
                                .status())
                        .isEqualTo(401);
            }
            assertThat(console.log.toString(java.nio.charset.StandardCharsets.UTF_8))
                    .doesNotContain("kid999");
        }
    }

    private static String jwks() {
        return "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"alg\":\"EdDSA\",\"use\":\"sig\",\"kid\":\"k1\",\"x\":\""
                + dev.ron.token.json.Base64Url.encode(publicKey()) + "\"}]}";
    }

    private static byte[] publicKey() {
        byte[] seed = new byte[32];
        seed[0] = 1;
        return new org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters(seed, 0)
                .generatePublicKey()
                .getEncoded();
    }

    private static String token(String kid) {
        String header = "{\"alg\":\"EdDSA\",\"typ\":\"at+jwt\",\"kid\":\"" + kid + "\"}";
        java.util.Base64.Encoder encoder = java.util.Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString(header.getBytes(java.nio.charset.StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString("{}".getBytes(java.nio.charset.StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(new byte[64]);
    }
}
