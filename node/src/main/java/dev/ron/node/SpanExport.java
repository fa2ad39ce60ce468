package dev.ron.node;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.service.trace.OtlpCollector;
import dev.ron.service.trace.SpanExporter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/** The way to an OTLP collector: a small client on a loop of its own, ended once the last spans are out. */
final class SpanExport implements Drainable {
    private final EventLoops loop;
    private final ClientTls tls;
    private final HttpClient client;
    private final OtlpCollector collector;

    SpanExport(URI endpoint, Clock clock) {
        this.loop = new EventLoops("otlp", 1, EventLoops.Transport.best(), clock);
        this.tls = ClientTls.publicRoots();
        this.client = new HttpClient(
                loop,
                (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
                tls,
                ClientOptions.defaults().withMaxPerTarget(2),
                Meter.none());
        this.collector = new OtlpCollector(client, endpoint);
    }

    SpanExporter.Collector collector() {
        return collector;
    }

    @Override
    public String name() {
        return "otlp";
    }

    @Override
    public Stage stage() {
        return Stage.WATCHERS;
    }

    @Override
    public boolean drain(Deadline deadline) {
        client.close();
        tls.close();
        return loop.stop(deadline);
    }

    @Override
    public int abort() {
        return 0;
    }
}
