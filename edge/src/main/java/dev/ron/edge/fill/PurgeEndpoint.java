package dev.ron.edge.fill;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.Routes;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.service.ops.OperatorGuard;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /api/v1/edge/purge} on the ops plane: forgets what was fetched, by the beginning of its URL. */
public final class PurgeEndpoint {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final StrictJson JSON = new StrictJson();

    /** What to forget. */
    record Purge(String prefix) {}

    private PurgeEndpoint() {}

    /** Adds the route; {@code live} gives the index once the service is up. */
    public static void addTo(Routes routes, OperatorGuard guard, Supplier<AssetIndex> live) {
        BlockingHandler handler = request -> purge(request, live.get());
        routes.add(List.of("POST"), "/api/v1/edge/purge", routes.with(handler).guard(guard));
    }

    private static Response purge(Request request, AssetIndex index) {
        String prefix = request.json(JSON, Purge.class).prefix();
        if (!prefix.startsWith("https://")) {
            throw new RonException(
                    Code.BAD_REQUEST, "bad_request", "prefix (expected: https://host/..., or a part of it)");
        }
        int forgotten =
                index.purge(key -> key.startsWith(prefix), request.context().deadline());
        AUDIT.info("purged {} objects under {}", forgotten, prefix);
        return Response.json(200, "{\"forgotten\":" + forgotten + "}");
    }
}
