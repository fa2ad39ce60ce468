package dev.ron.service.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.testing.TestHost;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class OtlpCollectorTest {
    private final ConcurrentLinkedQueue<String> taken = new ConcurrentLinkedQueue<>();
    private final AtomicInteger status = new AtomicInteger(200);
    private final BlockingHandler traces = request -> {
        taken.add(request.headers().first("Content-Type").orElse("") + " " + request.bodyText());
        return Response.status(status.get());
    };

    @Test
    void spansReachTheCollectorAndARefusalIsAFailure() {
        try (TestHost collector = TestHost.with(routes -> routes.post("/v1/traces", traces));
                ClientTls tls = ClientTls.publicRoots();
                HttpClient client = new HttpClient(
                        collector.loops(),
                        (host, port, deadline) ->
                                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                        tls,
                        ClientOptions.defaults(),
                        Meter.none())) {
            OtlpCollector otlp = new OtlpCollector(client, URI.create("http://127.0.0.1:" + collector.port() + "/"));
            Deadline deadline = Deadline.after(Clock.system(), Duration.ofSeconds(30));
            otlp.post("{\"resourceSpans\":[]}".getBytes(StandardCharsets.UTF_8), deadline);
            assertThat(taken).containsExactly("application/json {\"resourceSpans\":[]}");
            status.set(503);
            assertThatThrownBy(() -> otlp.post(new byte[] {'{', '}'}, deadline))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.detail()).isEqualTo("the collector answered 503"));
        }
    }
}
