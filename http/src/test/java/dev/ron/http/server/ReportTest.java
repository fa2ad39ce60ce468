package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every answer is reported exactly once, with a bounded set of labels. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class ReportTest {
    private final List<String> metered = new CopyOnWriteArrayList<>();
    private final List<AccessLog.Entry> logged = new CopyOnWriteArrayList<>();

    /** A body that a handler wants. */
    record Order(String item, int count) {}

    private TestHost host() {
        StrictJson json = new StrictJson();
        AccessLog log = new AccessLog() {
            @Override
            public boolean wants(int status) {
                return status >= 400;
            }

            @Override
            public void log(Entry entry) {
                logged.add(entry);
            }
        };
        return TestHost.with(
                HostConfig.DEFAULTS,
                Clock.system(),
                routes -> routes.get("/a/{id}", (StreamHandler) exchange -> exchange.respond(Response.text("ok")))
                        .post("/orders", (BlockingHandler) request -> {
                            Order order = request.json(json, Order.class);
                            return Response.text(order.count() + " x " + order.item());
                        }),
                builder -> builder.meter((method, route) -> (status, nanos, in, out) ->
                                metered.add(method + " " + route + " " + status + " in " + in + " out " + out))
                        .accessLog(log));
    }

    @Test
    void answersAreMeteredByTemplateAndUnknownMethodsShareALabel() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            client.get("/a/1").read();
            client.get("/a/2").read();
            client.get("/nothing/here").read();
            client.send("BREW /a/1 HTTP/1.1\r\nHost: x\r\n\r\n").read();
            client.send("nonsense\r\n\r\n").read();
            TestHost.await(() -> metered.size() == 5);
            assertThat(metered.subList(0, 2)).containsOnly("GET /a/{id} 200 in 0 out 2");
            assertThat(metered.get(2)).startsWith("GET none 404");
            assertThat(metered.get(3)).startsWith("other none 405");
            assertThat(metered.get(4)).startsWith("other none 400");
            assertThat(logged).extracting(AccessLog.Entry::reason).containsExactly("no_route", "method", "framing");
        }
    }

    @Test
    void bytesAreThoseOfTheirOwnRequestAlsoWhenTheNextWasSentAhead() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            String start = "POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: ";
            client.send(start + "3\r\n\r\nabc" + start + "7\r\n\r\nabcdefg" + start + "1\r\n\r\na");
            for (int i = 0; i < 3; i++) {
                assertThat(client.read().status()).isEqualTo(415);
            }
            TestHost.await(() -> metered.size() == 3);
            assertThat(metered)
                    .extracting(line -> line.replaceAll(" out.*", ""))
                    .containsExactly("POST /orders 415 in 3", "POST /orders 415 in 7", "POST /orders 415 in 1");
        }
    }

    @Test
    void strictJsonRefusesWhatDoesNotFit() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            String type = "Content-Type: application/json; charset=utf-8\r\n";
            assertThat(order(client, type, "{\"item\":\"map\",\"count\":2}").body())
                    .isEqualTo("2 x map");
            RawClient.Answer unknown = order(client, type, "{\"item\":\"map\",\"count\":2,\"price\":1}");
            assertThat(unknown.status()).isEqualTo(400);
            assertThat(unknown.body()).contains("\"code\":\"parse_error\"", "price");
            assertThat(order(client, "", "{}").status()).isEqualTo(415);
            assertThat(host.counted().of("parse_errors_total", "json")).isEqualTo(1);
            assertThat(metered.get(0)).isEqualTo("POST /orders 200 in 24 out 7");
        }
    }

    private static RawClient.Answer order(RawClient client, String type, String body) {
        return client.send("POST /orders HTTP/1.1\r\nHost: x\r\n" + type + "Content-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .read();
    }
}
