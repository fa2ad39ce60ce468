package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class BodyTest {
    private static final int CAP = 1 << 20;

    private static TestHost host() {
        return TestHost.with(routes -> routes.post(
                        "/size", (BlockingHandler) request -> Response.text(Integer.toString(request.body().length)))
                .post("/refused", (StreamHandler) exchange -> exchange.respond(Response.text(403, "no"))));
    }

    private static String head(String more) {
        return "POST /size HTTP/1.1\r\nHost: x\r\n" + more + "\r\n";
    }

    @Test
    void theCapOnBodiesIsExact() {
        try (TestHost host = host()) {
            for (int size : new int[] {CAP - 1, CAP, CAP + 1}) {
                try (RawClient client = host.client()) {
                    client.sendIfOpen((head("Content-Length: " + size + "\r\n") + "a".repeat(size))
                            .getBytes(StandardCharsets.ISO_8859_1));
                    assertThat(client.read().status()).isEqualTo(size <= CAP ? 200 : 413);
                }
                try (RawClient client = host.client()) {
                    client.sendIfOpen((head("Transfer-Encoding: chunked\r\n") + Integer.toHexString(size) + "\r\n"
                                    + "a".repeat(size) + "\r\n0\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
                    assertThat(client.read().status()).isEqualTo(size <= CAP ? 200 : 413);
                }
            }
            assertThat(host.counted().of("rejected_total", "body_cap")).isEqualTo(2);
        }
    }

    @Test
    void a413ReachesACallerThatIsStillSending() {
        byte[] large = "a".repeat(2 << 20).getBytes(StandardCharsets.ISO_8859_1);
        try (TestHost host = host()) {
            for (int i = 0; i < 20; i++) {
                try (RawClient client = host.client()) {
                    client.send(head("Content-Length: " + large.length + "\r\n"));
                    client.sendIfOpen(large);
                    RawClient.Answer answer = client.read();
                    assertThat(answer.status()).isEqualTo(413);
                    assertThat(answer.closes()).isTrue();
                }
                try (RawClient client = host.client()) {
                    client.send(head("Transfer-Encoding: chunked\r\n") + "200000\r\n");
                    client.sendIfOpen(large);
                    assertThat(client.read().status()).isEqualTo(413);
                }
            }
        }
    }

    @Test
    void continueIsSaidOnlyWhenTheBodyWillBeRead() {
        try (TestHost host = host()) {
            try (RawClient client = host.client()) {
                client.send(head("Expect: 100-continue\r\nContent-Length: 2\r\n"));
                assertThat(client.read().status()).isEqualTo(100);
                client.send("ab");
                assertThat(client.read().body()).isEqualTo("2");
            }
            try (RawClient client = host.client()) {
                client.send(head("Expect: 100-continue\r\nContent-Length: 2000000\r\n"));
                assertThat(client.read().status()).isEqualTo(413);
                assertThat(client.closedByPeer()).isTrue();
            }
            try (RawClient client = host.client()) {
                client.send("POST /refused HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(403);
                assertThat(answer.closes()).isTrue();
            }
        }
    }

    @Test
    void aRefusalKeepsTheConnectionWhenTheRestOfTheBodyIsSmall() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            client.send("POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhel");
            assertThat(client.read().status()).isEqualTo(403);
            client.send("lo");
            client.send(head("Content-Length: 1\r\n") + "x");
            assertThat(client.read().body()).isEqualTo("1");
        }
    }
}
