package dev.ron.http.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.server.HostConfig;
import dev.ron.http.server.StreamHandler;
import dev.ron.http.testing.Counted;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class SseTopicTest {
    private final Counted counted = new Counted();
    private final SseTopic topic = new SseTopic("events", Duration.ofMillis(50), counted);

    private TestHost host() {
        Duration patience = Duration.ofMinutes(1);
        HostConfig config = HostConfig.DEFAULTS.withTimeouts(
                new HostConfig.Timeouts(patience, patience, patience, patience, 1, patience));
        return TestHost.with(
                config,
                routes -> routes.get("/events", (StreamHandler) exchange -> {
                    List<SseEvent> replay = SseTopic.lastEventId(exchange)
                            .map(id -> List.of(new SseEvent("r", "replay", "after " + id)))
                            .orElse(List.of());
                    topic.subscribe(exchange, replay);
                }));
    }

    private static RawClient subscribe(TestHost host, String more) {
        RawClient client = host.client();
        client.send("GET /events HTTP/1.1\r\nHost: x\r\n" + more + "\r\n");
        assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
        List<String> head = new ArrayList<>();
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            head.add(line);
        }
        assertThat(head).contains("Content-Type: text/event-stream", "Transfer-Encoding: chunked");
        return client;
    }

    /** The next chunk that is not a heartbeat. */
    private static String event(RawClient client) {
        while (true) {
            int size = Integer.parseInt(client.line(), 16);
            StringBuilder chunk = new StringBuilder();
            while (chunk.length() < size) {
                chunk.append(client.line()).append('\n');
            }
            client.line();
            if (!chunk.toString().startsWith(":")) {
                return chunk.toString();
            }
        }
    }

    @Test
    void everyCallerGetsEveryEventAndTheReplayFirst() {
        try (TestHost host = host();
                RawClient one = subscribe(host, "");
                RawClient two = subscribe(host, "Last-Event-ID: 41\r\n");
                RawClient three = subscribe(host, "")) {
            TestHost.await(() -> topic.subscribers() == 3);
            topic.publish(new SseEvent("42", "head", "line one\nline two"));
            assertThat(event(two)).isEqualTo("event: replay\nid: r\ndata: after 41\n\n");
            for (RawClient client : List.of(one, two, three)) {
                assertThat(event(client)).isEqualTo("event: head\nid: 42\ndata: line one\ndata: line two\n\n");
            }
        }
    }

    @Test
    void aQuietStreamHasAHeartbeat() {
        try (TestHost host = host();
                RawClient client = subscribe(host, "")) {
            assertThat(client.line()).isEqualTo("3");
            assertThat(client.line()).isEqualTo(":");
        }
    }

    @Test
    void aCallerThatDoesNotReadLosesTheOldestAndKeepsTheNewest() {
        String filler = "x".repeat(64 << 10);
        try (TestHost host = host();
                RawClient lazy = subscribe(host, "")) {
            TestHost.await(() -> topic.subscribers() == 1);
            int sent = 0;
            while (counted.of("queue_dropped_total", "events") < 10) {
                topic.publish(new SseEvent(Integer.toString(sent++), "", filler));
            }
            topic.publish(new SseEvent("last", "", "end"));
            int received = 0;
            String event = event(lazy);
            while (!event.contains("id: last")) {
                received++;
                event = event(lazy);
            }
            assertThat(received + counted.of("queue_dropped_total", "events")).isEqualTo(sent);
        }
    }

    @Test
    void streamsEndProperlyWhenTheHostStops() {
        try (TestHost host = host();
                RawClient client = subscribe(host, "")) {
            TestHost.await(() -> topic.subscribers() == 1);
            Thread stop = Thread.ofVirtual()
                    .start(() -> host.host().stop(Deadline.after(Clock.system(), Duration.ofSeconds(30))));
            String line = client.line();
            while (!line.equals("0")) {
                line = client.line();
            }
            assertThat(client.line()).isEmpty();
            assertThat(client.closedByPeer()).isTrue();
            TestHost.await(() -> !stop.isAlive());
            assertThat(topic.subscribers()).isZero();
        }
    }

    @Test
    void aCallerThatLeavesIsForgotten() {
        try (TestHost host = host()) {
            List<RawClient> clients =
                    IntStream.range(0, 4).mapToObj(i -> subscribe(host, "")).toList();
            TestHost.await(() -> topic.subscribers() == 4);
            clients.forEach(RawClient::close);
            TestHost.await(() -> topic.subscribers() == 0);
            TestHost.await(() -> host.host().inflight() == 0);
        }
    }

    @Test
    void anEventCannotForgeAnother() {
        assertThat(new String(SseEvent.of("a\n\nid: 9").encode(), StandardCharsets.UTF_8))
                .isEqualTo("data: a\ndata: \ndata: id: 9\n\n");
        assertThatThrownBy(() -> new SseEvent("1\n2", "", "")).isInstanceOf(IllegalArgumentException.class);
    }
}
