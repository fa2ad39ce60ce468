package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.TestGateway;
import dev.ron.gateway.TestOffice;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Pct;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an upstream that asks for the caller's credential gets to see of it. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class ForwardedCredentialsTest {
    private static final Attenuator HOLDER = new Attenuator(Signatures.portable(), Caps.DEFAULT);

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private RawServer upstream() {
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                seen.add(request);
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });
    }

    /** One route that asks for a token and one that does not, to an upstream that wants to see what was sent. */
    private static TestGateway gateway(TestOffice office, RawServer server, String more) {
        return new TestGateway(office.trusted() + """
                [gateway.routes.guarded]
                path = "/guarded"
                upstream = "one"
                auth = "required"
                [gateway.routes.open]
                path = "/open"
                upstream = "one"
                auth = "none"
                [gateway.upstreams.one]
                forward_authorization = true
                %s
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(more, server.port()));
    }

    private static RawClient.Answer get(RawClient client, String path, String fields) {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n")
                .read();
    }

    /** The credential of the last request; empty where the upstream saw none. */
    private String forwarded() {
        return seen.getLast()
                .lines()
                .filter(line -> line.startsWith("authorization: "))
                .map(line -> line.substring("authorization: ".length()))
                .reduce("", (before, line) -> before + line);
    }

    private static void awaitKeys(TestGateway gateway, TestOffice office) {
        String token = office.token("probe");
        Eventually.await("the gateway knows the keys", () -> {
            try (RawClient client = gateway.client()) {
                return get(client, "/guarded", TestOffice.bearer(token)).status() == 200;
            }
        });
    }

    private static void cannotBeNarrowed(String token) {
        assertThatThrownBy(
                        () -> HOLDER.attenuate(token, List.of(), Instant.now().getEpochSecond(), new SecureRandom()))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.NOT_ATTENUABLE));
    }

    @Test
    void aCapabilityGoesOnNarrowedToThatUpstreamAndSealed() throws Exception {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "audience = \"svc-orders\"");
                RawClient client = gateway.client()) {
            awaitKeys(gateway, office);
            String token = office.attenuated(office.token("acme"));
            assertThat(get(client, "/guarded", TestOffice.bearer(token)).status())
                    .isEqualTo(200);
            String first = forwarded();
            assertThat(first).startsWith("Bearer pct1~");
            assertThat(seen.getLast()).doesNotContain(token);
            Pct pct = Pct.parse(first.substring("Bearer ".length()), Caps.DEFAULT);
            assertThat(pct.chain().isOpenedBy(pct.proof())).isTrue();
            assertThat(pct.chain().caveats().getLast().caveat()).isEqualTo(new Caveat.Audience(List.of("svc-orders")));
            cannotBeNarrowed(pct.text());
            // the same token is sealed once, not for every request
            get(client, "/guarded", TestOffice.bearer(token));
            assertThat(forwarded()).isEqualTo(first);
        }
    }

    @Test
    void withoutAnAudienceItsNameSaysWhoItIs() throws Exception {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            awaitKeys(gateway, office);
            get(client, "/guarded", "Authorization: Capability " + office.token("acme") + "\r\n");
            assertThat(forwarded()).startsWith("Capability pct1~");
            Pct pct = Pct.parse(forwarded().substring("Capability ".length()), Caps.DEFAULT);
            assertThat(pct.chain().caveats().getLast().caveat()).isEqualTo(new Caveat.Audience(List.of("svc-one")));
        }
    }

    @Test
    void aCapabilityThatHasNoRoomForAnotherBlockGoesOnSealed() throws Exception {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            String token = office.token("acme");
            for (int i = 0; i < Caps.DEFAULT.maxBlocks(); i++) {
                token = office.attenuated(token);
            }
            get(client, "/open", TestOffice.bearer(token));
            assertThat(forwarded()).isEqualTo("Bearer " + HOLDER.seal(token));
            cannotBeNarrowed(HOLDER.seal(token));
            get(client, "/open", TestOffice.bearer(HOLDER.seal(token)));
            assertThat(forwarded()).isEqualTo("Bearer " + HOLDER.seal(token));
        }
    }

    // anybody can make what nobody has signed, and would have the loop sign it
    @Test
    void aCapabilityThatWasNotFoundGoodHereIsSealedOnly() throws Exception {
        try (TestOffice office = new TestOffice();
                TestOffice stranger = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            awaitKeys(gateway, office);
            String token = stranger.token("acme");
            get(client, "/open", TestOffice.bearer(token));
            assertThat(forwarded()).isEqualTo("Bearer " + HOLDER.seal(token));
        }
    }

    @Test
    void otherCredentialsGoOnAsTheyWereSent() {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            get(client, "/open", "Authorization: Basic dXNlcjpwYXNz\r\n");
            assertThat(forwarded()).isEqualTo("Basic dXNlcjpwYXNz");
            get(client, "/open", "Authorization: Bearer ron_client_key\r\n");
            assertThat(forwarded()).isEqualTo("Bearer ron_client_key");
        }
    }

    @Test
    void whatLooksLikeACapabilityAndIsNoneStaysHere() {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            String token = office.token("acme");
            for (String bad : List.of("pct1~", "pct1~x~y", token + "~", token.substring(0, token.length() - 1))) {
                assertThat(get(client, "/open", TestOffice.bearer(bad)).status())
                        .isEqualTo(200);
                assertThat(forwarded()).as(bad).isEmpty();
            }
        }
    }

    @Test
    void nothingGoesOnThatTheCallerDeclaredToBeForThisHopAndNoSecondCredential() {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            get(client, "/open", "Authorization: Basic x\r\nConnection: Authorization\r\n");
            assertThat(forwarded()).isEmpty();
            int before = seen.size();
            assertThat(get(client, "/open", "Authorization: Basic x\r\nAuthorization: Basic y\r\n")
                            .status())
                    .isEqualTo(400);
            assertThat(seen).hasSize(before);
        }
    }
}
