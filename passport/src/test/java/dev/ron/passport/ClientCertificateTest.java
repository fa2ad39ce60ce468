package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TlsClient;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.time.Deadline;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.ClientCertificate;
import dev.ron.passport.client.Right;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.passport.office.Command;
import dev.ron.token.caveat.Binding;
import dev.ron.token.crypto.Signatures;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Clients that are known by the certificate they show in the handshake. */
class ClientCertificateTest {
    private static final String ORDER = "{\"subject_ref\":\"job\",\"audience\":[\"svc-demo\",\"svc-passport\"]}";

    @TempDir
    Path folder;

    private record Answer(int status, JsonNode body, String challenge) {}

    private static Answer issue(TlsClient as, OfficeProcess office, String order, Optional<String> bearer)
            throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(as.context()).build()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create("https://localhost:" + office.service().port() + "/v1/passport/issue"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(order));
            bearer.ifPresent(token -> request.header("Authorization", "Bearer " + token));
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(
                    response.statusCode(),
                    new StrictJson().tree(response.body()),
                    response.headers().firstValue("www-authenticate").orElse(""));
        }
    }

    private static String thumbprint(TestCa.Pair pair) throws Exception {
        try (InputStream in = Files.newInputStream(pair.certificates())) {
            return Binding.thumbprint(
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
    }

    private static void register(OfficeProcess office, String name, String thumbprint) {
        Client client = new Client(
                name,
                ClientCertificate.prefix(thumbprint),
                thumbprint,
                List.of("acme"),
                Set.of(Right.ISSUE),
                List.of(),
                0);
        CallContext.of(Deadline.after(office.frame().clock(), Duration.ofSeconds(30)), "test")
                .run(() -> office.service().carryOut(new Command.KeepClient(client)));
    }

    @Test
    void aThumbprintThatOnlyBeginsAlikeIsAStranger() {
        String mine = "A".repeat(43);
        String alike = "A".repeat(42) + "E";
        Client client = new Client(
                "ci", ClientCertificate.prefix(mine), mine, List.of("acme"), Set.of(Right.ISSUE), List.of(), 0);
        Map<String, Client> known = Map.of(client.prefix(), client);
        assertThat(ClientCertificate.owner(mine, known)).contains(client);
        assertThat(ClientCertificate.owner(alike, known)).isEmpty();
    }

    @Test
    void aRegisteredCertificateMayIssueAndAnyOtherMayNot() throws Exception {
        TestCa ca = new TestCa(folder);
        TestCa.Pair server = ca.issue("localhost");
        TestCa.Pair ci = ca.issue("ci");
        try (OfficeProcess office = OfficeProcess.with(
                SigningEngine.local(Signatures.portable()),
                "passport.tls.enabled=true",
                "passport.tls.cert_path=" + server.certificates(),
                "passport.tls.key_path=" + server.key(),
                "passport.tls.client_ca_path=" + ca.roots,
                "passport.tls.client_auth=optional")) {
            register(office, "ci", thumbprint(ci));
            TlsClient nobody = new TlsClient(ca.roots);
            Answer good = issue(nobody.showing(ci), office, ORDER, Optional.empty());
            assertThat(good.status()).isEqualTo(200);

            Answer stranger = issue(nobody.showing(ca.issue("ci")), office, ORDER, Optional.empty());
            assertThat(stranger.status())
                    .as("the same name is not the same certificate")
                    .isEqualTo(401);
            assertThat(stranger.body().path("reason").asString()).isEqualTo("unauthenticated");
            Answer none = issue(nobody, office, ORDER, Optional.empty());
            assertThat(none.status()).isEqualTo(401);
            assertThat(none.challenge()).isEqualTo("Bearer realm=\"ron\"");
            Answer wrongKey = issue(nobody.showing(ci), office, ORDER, Optional.of("ron_ck_x"));
            assertThat(wrongKey.status())
                    .as("a credential that is shown is the one that counts")
                    .isEqualTo(401);

            // A token that is bound to the certificate is of no use without it.
            String bound = issue(
                            nobody.showing(ci),
                            office,
                            "{\"subject_ref\":\"job\",\"audience\":[\"svc-demo\",\"svc-passport\"],"
                                    + "\"caveats\":[\"scope=passport:issue\",{\"t\":\"bind\",\"v\":{\"x5t#S256\":\""
                                    + thumbprint(ci) + "\"}}]}",
                            Optional.empty())
                    .body()
                    .path("token")
                    .asString();
            assertThat(issue(nobody.showing(ci), office, ORDER, Optional.of(bound))
                            .status())
                    .isEqualTo(200);
            Answer stolen = issue(nobody, office, ORDER, Optional.of(bound));
            assertThat(stolen.status()).isEqualTo(403);
            assertThat(stolen.body().path("reason").asString()).isEqualTo("cav_bind");

            // Neither is what such a token asks for, where it is the root itself that is bound.
            String rooted = issue(
                            nobody.showing(ci),
                            office,
                            "{\"subject_ref\":\"job\",\"audience\":[\"svc-demo\",\"svc-passport\"],"
                                    + "\"caveats\":[\"scope=passport:issue\"],\"cnf\":{\"x5t#S256\":\""
                                    + thumbprint(ci) + "\"}}",
                            Optional.empty())
                    .body()
                    .path("token")
                    .asString();
            assertThat(issue(nobody, office, ORDER, Optional.of(rooted))
                            .body()
                            .path("reason")
                            .asString())
                    .isEqualTo("cav_bind");
            Answer derived = issue(nobody.showing(ci), office, ORDER, Optional.of(rooted));
            assertThat(derived.body().path("caveats").toString()).contains("\"bind\"", thumbprint(ci));
        }
    }
}
