package dev.ron.service.ops;

import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Phase;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.ReadyDocument;
import dev.ron.service.health.ReadyView;
import dev.ron.service.lifecycle.Frame;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code /healthz}, {@code /readyz} and {@code /readyz/write}, for the ops plane and for each service's own port.
 *
 * <p>They answer from snapshots on the event loop and pass no admission guard, so that they answer under any load.
 */
public final class Probes {
    private static final List<String> METHODS = List.of("GET", "HEAD");

    private final Frame frame;
    private final Supplier<ReadyView> ready;
    private final Meter meter;

    private Probes(Frame frame, Supplier<ReadyView> ready, Meter meter) {
        this.frame = frame;
        this.ready = ready;
        this.meter = meter;
    }

    /** Probes of the whole process. */
    public static Probes of(Frame frame) {
        return new Probes(frame, frame::ready, frame.ownMetrics());
    }

    /** Probes of one of its services. */
    public static Probes of(Frame frame, String service) {
        return new Probes(frame, () -> frame.ready(service), frame.metrics().service(service));
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
        boolean stopped = frame.shutdown().phase().value() == Phase.STOPPED;
        int status = frame.heartbeat().alive() && !stopped ? 200 : 503;
        exchange.respond(document(status, frame.heartbeat().body(stopped)));
    }

    private void ready(Exchange exchange, boolean forWrites) {
        ReadyView view = ready.get();
        int status = forWrites ? ReadyDocument.writeStatus(view) : ReadyDocument.readStatus(view);
        byte[] body = ReadyDocument.body(view, frame.phase(), frame.current().version());
        Response answer = document(status, body);
        if (status != 200) {
            for (KeyState key : view.missing()) {
                meter.counter("readyz_fail_total", "key", key.name()).increment();
            }
            answer = answer.withHeader("Retry-After", Integer.toString(view.retryAfterSeconds()));
        }
        exchange.respond(answer);
    }

    static Response document(int status, byte[] body) {
        return Response.json(status, body).withHeader("Cache-Control", "no-store");
    }
}
