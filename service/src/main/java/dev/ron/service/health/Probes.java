package dev.ron.service.health;

import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.meter.Meter;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * {@code /healthz}, {@code /readyz} and {@code /readyz/write}, for the ops plane and for each service's own port.
 *
 * <p>They answer from snapshots on the event loop and pass no admission guard, so that they answer under any load.
 */
public final class Probes {
    private static final List<String> METHODS = List.of("GET", "HEAD");

    private final Heartbeat heartbeat;
    private final Supplier<String> phase;
    private final LongSupplier configVersion;
    private final Supplier<ReadyView> ready;
    private final Meter meter;

    /** @param phase starting, running, draining, aborting or stopped */
    public Probes(
            Heartbeat heartbeat,
            Supplier<String> phase,
            LongSupplier configVersion,
            Supplier<ReadyView> ready,
            Meter meter) {
        this.heartbeat = heartbeat;
        this.phase = phase;
        this.configVersion = configVersion;
        this.ready = ready;
        this.meter = meter;
    }

    public void addTo(Routes routes) {
        add(routes, "/healthz", this::alive);
        add(routes, "/readyz", exchange -> ready(exchange, false));
        add(routes, "/readyz/write", exchange -> ready(exchange, true));
    }

    private static void add(Routes routes, String path, StreamHandler handler) {
        routes.add(METHODS, path, routes.with(handler).guards());
    }

    private void alive(Exchange exchange) {
        boolean stopped = phase.get().equals("stopped");
        int status = heartbeat.alive() && !stopped ? 200 : 503;
        exchange.respond(document(status, heartbeat.body(stopped)));
    }

    private void ready(Exchange exchange, boolean forWrites) {
        ReadyView view = ready.get();
        int status = forWrites ? ReadyDocument.writeStatus(view) : ReadyDocument.readStatus(view);
        Response answer = document(status, ReadyDocument.body(view, phase.get(), configVersion.getAsLong()));
        if (status != 200) {
            for (KeyState key : view.missing()) {
                meter.counter("readyz_fail_total", "key", key.name()).increment();
            }
            answer = answer.withHeader("Retry-After", Integer.toString(view.retryAfterSeconds()));
        }
        exchange.respond(answer);
    }

    private static Response document(int status, byte[] body) {
        return Response.json(status, body).withHeader("Cache-Control", "no-store");
    }
}
