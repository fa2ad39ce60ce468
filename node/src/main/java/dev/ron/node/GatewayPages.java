package dev.ron.node;

import dev.ron.gateway.GatewayViews;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.Routes;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/** The gateway's pages on the ops plane: routes, upstreams, tenants, and the latest refusals. */
final class GatewayPages {
    private GatewayPages() {}

    /** Adds the pages; {@code live} gives what they show once the service is up. */
    static void addTo(Routes routes, Supplier<GatewayViews> live) {
        routes.get("/admin/routes", page(request -> live.get().routes()))
                .get("/admin/upstreams", page(request -> live.get().upstreams()))
                .get("/admin/tenants", page(request -> live.get().tenants()))
                .get("/admin/refusals", page(request -> live.get().refusals("")))
                .get("/admin/refusals/{corr_id}", page(request -> live.get().refusals(request.param("corr_id"))));
    }

    private static BlockingHandler page(Function<Request, Map<String, Object>> content) {
        return request -> Response.json(200, JsonMapper.shared().writeValueAsBytes(content.apply(request)))
                .withHeader("Cache-Control", "no-store");
    }
}
