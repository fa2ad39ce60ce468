package dev.ron.service.ops;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.Routes;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameStatus;
import dev.ron.service.metrics.Metrics;
import dev.ron.service.status.StatusDocument;
import dev.ron.service.status.VersionDocument;
import java.util.List;

/** All routes of the ops plane. */
public final class OpsRoutes {
    private static final List<String> GET = List.of("GET");
    private static final List<String> POST = List.of("POST");
    private static final long MAX_BODY_BYTES = 16 << 10;

    private final Frame frame;
    private final FrameStatus status;
    private final OperatorGuard guard;
    private final OpsActions actions;

    public OpsRoutes(Frame frame, FrameStatus status, OperatorGuard guard) {
        this.frame = frame;
        this.status = status;
        this.guard = guard;
        this.actions = new OpsActions(frame);
    }

    public void addTo(Routes routes) {
        frame.probes().addTo(routes);
        get(routes, "/metrics", this::metrics);
        get(routes, "/version", this::version);
        get(routes, "/api/v1/status", this::status);
        get(routes, "/api/v1/reload", actions::lastReload);
        post(routes, "/api/v1/reload", actions::reload);
        post(routes, "/api/v1/drain", actions::drain);
        post(routes, "/api/v1/resume", actions::resume);
        post(routes, "/api/v1/shutdown", actions::shutdown);
    }

    private static void get(Routes routes, String path, BlockingHandler handler) {
        routes.add(GET, path, routes.with(handler).maxBodyBytes(0));
    }

    private void post(Routes routes, String path, BlockingHandler handler) {
        routes.add(POST, path, routes.with(handler).maxBodyBytes(MAX_BODY_BYTES).guard(guard));
    }

    private Response metrics(Request request) {
        Metrics.Page page =
                frame.metrics().scrape(request.headers().first("Accept").orElse(""));
        return Response.bytes(200, page.contentType(), page.body()).withHeader("Cache-Control", "no-store");
    }

    private Response version(Request request) {
        return OpsActions.document(
                200, VersionDocument.body(status.identity(), frame.build(), frame.serviceNames(), frame.pqMode()));
    }

    private Response status(Request request) {
        return OpsActions.document(200, StatusDocument.body(status.view()));
    }
}
