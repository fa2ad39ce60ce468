package dev.ron.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.Ed25519Signer;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetKeyPairGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.ron.gateway.TestGateway;
import dev.ron.gateway.TestOffice;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Access tokens of an issuer that is none of ours: somebody else's library signs them and publishes the keys. */
@Timeout(60)
class ForeignTokensTest {
    private static final String ISS = "https://login.example/realms/shop";

    private static RSAKey rsa;
    private static ECKey ec;
    private static OctetKeyPair ed;
    private static HttpServer login;
    private static RawServer upstream;
    private static TestOffice office;
    private static TestGateway gateway;

    @BeforeAll
    static void open() throws Exception {
        rsa = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        ec = new ECKeyGenerator(Curve.P_256).keyID("ec-1").generate();
        ed = new OctetKeyPairGenerator(Curve.Ed25519).keyID("ed-1").generate();
        byte[] keys = new JWKSet(List.<JWK>of(rsa, ec, ed))
                .toPublicJWKSet()
                .toString()
                .getBytes(StandardCharsets.UTF_8);
        login = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        login.createContext("/certs", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, keys.length);
                exchange.getResponseBody().write(keys);
            }
        });
        login.createContext("/.well-known/openid-configuration", exchange -> {
            try (exchange) {
                byte[] text = ("{\"issuer\":\"" + here() + "\",\"jwks_uri\":\"" + here() + "/certs\"}")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, text.length);
                exchange.getResponseBody().write(text);
            }
        });
        login.start();
        upstream = new RawServer((peer, number) -> {
            for (String asked = peer.readRequest(); !asked.isEmpty(); asked = peer.readRequest()) {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });
        office = new TestOffice();
        gateway = new TestGateway(office.trusted() + config("algs = [\"ES256\", \"RS256\", \"EdDSA\"]"));
        Eventually.await("the keys", () -> get(signed("ES256", goodClaims())).status() == 200);
    }

    private static String here() {
        return "http://127.0.0.1:" + login.getAddress().getPort();
    }

    private static String config(String more) {
        return """
                [gateway.auth.issuers.login]
                iss = "%s"
                jwks_url = "http://127.0.0.1:%d/certs"
                audience = "shop-api"
                tenants = ["acme"]
                %s
                [gateway.routes.all]
                path = "/**"
                methods = ["GET", "POST"]
                upstream = "one"
                auth = "required"
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(ISS, login.getAddress().getPort(), more, upstream.port());
    }

    @AfterAll
    static void close() {
        gateway.close();
        office.close();
        upstream.close();
        login.stop(0);
    }

    private static JWTClaimsSet.Builder goodClaims() {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(ISS)
                .subject("ann")
                .audience("shop-api")
                .claim("azp", "web")
                .jwtID("t-1")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)));
    }

    private static String signed(String alg, JWTClaimsSet.Builder claims) {
        return signed(alg, "at+jwt", claims);
    }

    private static String signed(String alg, String type, JWTClaimsSet.Builder claims) {
        try {
            JWK key = switch (alg) {
                case "ES256" -> ec;
                case "EdDSA" -> ed;
                default -> rsa;
            };
            JWSSigner signer = switch (alg) {
                case "ES256" -> new ECDSASigner(ec);
                case "EdDSA" -> new Ed25519Signer(ed);
                case "HS256" ->
                    new MACSigner(rsa.toPublicJWK().toJSONString()); // the public key as if it were a secret
                default -> new RSASSASigner(rsa);
            };
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.parse(alg))
                            .keyID(key.getKeyID())
                            .type(new JOSEObjectType(type))
                            .build(),
                    claims.build());
            jwt.sign(signer);
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static RawClient.Answer get(String token) {
        return ask(gateway, "GET", token);
    }

    private static RawClient.Answer ask(TestGateway at, String method, String token) {
        try (RawClient client = at.client()) {
            return client.send(method + " /x HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n" + TestOffice.bearer(token)
                            + "\r\n")
                    .read();
        }
    }

    @Test
    void itsTokensOpenARouteWhateverTheySignWith() {
        for (String alg : List.of("ES256", "RS256", "EdDSA")) {
            assertThat(get(signed(alg, goodClaims())).status()).as(alg).isEqualTo(200);
            assertThat(ask(gateway, "POST", signed(alg, goodClaims())).status())
                    .as("it has no feed that could be stale")
                    .isEqualTo(200);
        }
        assertThat(get(office.token("acme")).status()).as("beside our own").isEqualTo(200);
        assertThat(get(office.plainToken("acme")).status()).isEqualTo(200);
    }

    // no office whose news would bring these keys along
    @Test
    void itsKeysArriveAlsoWhereItIsTheOnlyIssuer() {
        try (TestGateway alone = new TestGateway(config("algs = [\"ES256\"]"))) {
            String token = signed("ES256", goodClaims());
            Eventually.await("the keys", () -> ask(alone, "GET", token).status() == 200);
        }
    }

    // two issuers | one name for their keys  ->  each one's tokens are checked with its own key
    @Test
    void anIssuerCannotSpoilAnothersTokensByTheNameOfItsKey() throws Exception {
        ECKey sameName = new ECKeyGenerator(Curve.P_256).keyID("ec-1").generate();
        byte[] keys = new JWKSet(sameName).toPublicJWKSet().toString().getBytes(StandardCharsets.UTF_8);
        login.createContext("/other", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, keys.length);
                exchange.getResponseBody().write(keys);
            }
        });
        String before = """
                [gateway.auth.issuers.first]
                iss = "https://other.example"
                jwks_url = "http://127.0.0.1:%d/other"
                audience = "shop-api"
                tenants = ["globex"]
                algs = ["ES256"]
                """.formatted(login.getAddress().getPort());
        try (TestGateway both = new TestGateway(before + config("algs = [\"ES256\"]"))) {
            String token = signed("ES256", goodClaims());
            Eventually.await("the keys", () -> ask(both, "GET", token).status() == 200);
            SignedJWT other = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID("ec-1")
                            .type(new JOSEObjectType("at+jwt"))
                            .build(),
                    goodClaims().issuer("https://other.example").build());
            other.sign(new ECDSASigner(sameName));
            Eventually.await(
                    "the other keys", () -> ask(both, "GET", other.serialize()).status() == 200);
            assertThat(ask(both, "GET", signed("ES256", goodClaims())).status()).isEqualTo(200);
        }
    }

    @Test
    void whatIsNotInOrderIsRefusedWithItsReason() {
        Map<String, String> refused = Map.ofEntries(
                Map.entry(signed("ES256", goodClaims().audience("svc-gateway")), "wrong_audience"),
                Map.entry(signed("ES256", goodClaims().issuer("https://login.example/realms/other")), "wrong_issuer"),
                Map.entry(signed("ES256", goodClaims().issuer(TestOffice.ISS)), "wrong_issuer"),
                Map.entry(
                        signed(
                                "ES256",
                                goodClaims()
                                        .expirationTime(Date.from(Instant.now().minusSeconds(61)))),
                        "expired"),
                Map.entry(signed("ES256", goodClaims().claim("nonce", "n")), "wrong_type"),
                Map.entry(signed("ES256", "JWT", goodClaims()), "wrong_type"),
                Map.entry(signed("PS256", goodClaims()), "alg_refused"),
                Map.entry(signed("HS256", goodClaims()), "alg_refused"),
                Map.entry(signed("ES256", goodClaims().claim("tid", "globex")), "wrong_tenant"),
                Map.entry(signed("ES256", goodClaims().claim("cnf", Map.of("jkt", "A".repeat(43)))), "cav_bind"));
        refused.forEach((token, reason) -> {
            RawClient.Answer answer = get(token);
            assertThat(answer.status()).as(reason).isIn(401, 403);
            assertThat(answer.body()).contains("\"reason\":\"" + reason + "\"");
        });
        String good = signed("RS256", goodClaims());
        String[] parts = good.split("\\.", -1);
        String forged =
                parts[0] + "." + parts[1] + "." + (parts[2].startsWith("A") ? "B" : "A") + parts[2].substring(1);
        assertThat(get(forged).body()).contains("bad_signature");
    }

    // iss alone  ->  the issuer is asked where its keys are, and its tokens open the route
    @Test
    void anIssuerNeedsNoAddressForItsKeys() throws Exception {
        String alone =
                config("algs = [\"ES256\"]").replaceFirst("jwks_url.*", "").replace(ISS, here());
        try (TestGateway asking = new TestGateway(alone)) {
            String good = signed("ES256", goodClaims().issuer(here()));
            Eventually.await("the keys", () -> ask(asking, "GET", good).status() == 200);
            assertThat(ask(asking, "GET", signed("ES256", goodClaims())).body()).contains("wrong_issuer");
        }
    }

    @Test
    void aConfigurationThatCannotBeMeantIsRefused() {
        String good = config("");
        assertThat(TestGateway.load(good)).isNotNull();
        for (Map.Entry<String, String> bad : Map.of(
                        good.replace("audience =", "keys_url = \"http://127.0.0.1:1\"\naudience ="),
                        "not both of",
                        good.replace("127.0.0.1", "login.example"),
                        "https, or http on loopback",
                        good.replaceFirst("jwks_url.*", "").replace(ISS, "http://login.example"),
                        "asked where its keys are",
                        good.replaceFirst("jwks_url.*", "keys_url = \"http://office.example\""),
                        "login.keys_url: http://office.example (https, or http on loopback)",
                        "[gateway.auth]\nkeys_url = \"http://10.0.0.5:8082\"\n" + good,
                        "auth.keys_url: http://10.0.0.5:8082 (https, or http on loopback)",
                        config("algs = [\"none\"]"),
                        "at least one",
                        config("algs = [\"HS256\"]"),
                        "at least one")
                .entrySet()) {
            assertThatThrownBy(() -> TestGateway.load(bad.getKey())).hasMessageContaining(bad.getValue());
        }
    }
}
