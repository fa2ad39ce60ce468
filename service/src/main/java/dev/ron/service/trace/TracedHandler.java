package dev.ron.service.trace;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;

/** Runs a handler within a span that continues the caller's trace, or begins one. */
public record TracedHandler(Tracer tracer, String service, String operation, BlockingHandler handler)
        implements BlockingHandler {

    @Override
    public Response handle(Request request) throws Exception {
        String parent = request.context().traceparent();
        Tracer.Open span = tracer.start(service, operation, parent == null ? "" : parent);
        boolean ok = false;
        try {
            Response response = handler.handle(request);
            ok = response.status() < 500;
            span.with("http.response.status_code", Integer.toString(response.status()));
            return response;
        } finally {
            span.end(ok);
        }
    }
}
