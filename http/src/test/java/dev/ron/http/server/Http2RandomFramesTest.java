package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.testing.H2Client;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Frames in any order and of any content: the host answers, resets or leaves, and keeps nothing. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class Http2RandomFramesTest {
    private static final int CONNECTIONS = 150;
    private static final int FRAMES = 40;

    @Test
    void nothingIsLeftOfAnyConnectionAndOthersAreServed() {
        HostConfig config = HostConfig.DEFAULTS.withFront(HostConfig.Front.DEFAULTS.withPriorKnowledge());
        try (TestHost host = TestHost.with(
                config,
                routes ->
                        routes.add(List.of("GET", "POST"), "/**", (BlockingHandler) request -> Response.text("ok")))) {
            for (int seed = 0; seed < CONNECTIONS; seed++) {
                try (H2Client client = new H2Client(host.port())) {
                    send(client, new Random(seed));
                }
            }
            TestHost.await(() -> host.host().inflight() == 0 && host.host().connections() == 0);
            try (RawClient client = host.client()) {
                assertThat(client.get("/").read().body()).isEqualTo("ok");
            }
        }
    }

    private static void send(H2Client client, Random random) {
        byte[] head = client.block(H2Client.head(random.nextBoolean() ? "GET" : "POST", "/x"));
        boolean open = true;
        for (int i = 0; i < FRAMES && open; i++) {
            int stream = random.nextInt(8) == 0 ? 0 : 1 + 2 * random.nextInt(1 + i);
            int flags = random.nextInt(256);
            if (random.nextInt(3) == 0) {
                open = client.sendIfOpen(H2Client.HEADERS, H2Client.END_HEADERS | (flags & 1), 1 + 2 * i, head);
            } else {
                byte[] payload = new byte[random.nextInt(3) == 0 ? random.nextInt(64) : 4 + random.nextInt(5)];
                random.nextBytes(payload);
                open = client.sendIfOpen(random.nextInt(11), flags, stream, payload);
            }
        }
    }
}
