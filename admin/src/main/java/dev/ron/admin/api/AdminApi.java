package dev.ron.admin.api;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminMetrics;
import dev.ron.admin.action.Action;
import dev.ron.admin.action.ActionDesk;
import dev.ron.admin.action.AuditLog;
import dev.ron.admin.action.OwnReload;
import dev.ron.admin.auth.Authenticator;
import dev.ron.admin.auth.Csrf;
import dev.ron.admin.live.FleetDocument;
import dev.ron.admin.live.Streams;
import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.Prober;
import dev.ron.admin.sample.Refreshes;
import dev.ron.admin.sample.Rows;
import dev.ron.admin.view.ConsoleView;
import dev.ron.http.guard.InflightGuard;
import dev.ron.http.message.Response;
import dev.ron.http.server.Handler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.Routes;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.TaskKind;
import dev.ron.kernel.time.Clock;
import dev.ron.service.reload.ReloadReport;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All routes of the console: every entry of the route table, and the pages. */
public final class AdminApi {
    private static final long MAX_ACTION_BODY = 64 << 10;

    private final Parts parts;
    private volatile byte @Nullable [] openApi;

    /** What the routes stand on. */
    public record Parts(
            Supplier<AdminConfig> config,
            Fleet fleet,
            Rows rows,
            FleetDocument document,
            Prober prober,
            Refreshes refreshes,
            Authenticator authenticator,
            Csrf csrf,
            Guarded<SignInThrottle> throttle,
            Streams streams,
            TaskKind openers,
            ActionDesk desk,
            AuditLog audit,
            Supplier<ConsoleView> console,
            Supplier<Reply<ReloadReport>> reload,
            AdminMetrics metrics,
            Clock clock,
            String version) {}

    public AdminApi(Parts parts) {
        this.parts = parts;
    }

    public Routes routes(HostConfig limits, Permits inflight) {
        Routes routes = new Routes(limits, new InflightGuard(inflight));
        handlers().forEach((endpoint, handler) -> {
            Routes.Options options = routes.with(handler);
            if (endpoint == Endpoint.EVENTS) {
                // A stream has a bound of its own and takes no place from other requests.
                options.guards();
            }
            options.maxBodyBytes(endpoint.unsafe() ? MAX_ACTION_BODY : 0);
            routes.add(List.of(endpoint.method()), endpoint.path(), options);
        });
        Pages pages = new Pages();
        Handler page = Door.open(pages::serve);
        routes.add(List.of("GET"), "/", routes.with(page).maxBodyBytes(0));
        routes.add(List.of("GET"), "/**", routes.with(page).maxBodyBytes(0));
        return routes;
    }

    /** The handler of every endpoint; one that is forgotten is found when the console starts. */
    private Map<Endpoint, Handler> handlers() {
        Door door = new Door(parts.authenticator(), parts.csrf(), parts.metrics());
        LiveStatus live = new LiveStatus(parts.prober(), parts.config(), parts.clock());
        NodeApi nodes =
                new NodeApi(parts.fleet(), parts.rows(), parts.document(), live, parts.prober(), parts.config());
        SessionApi session = new SessionApi(
                parts.config(),
                parts.authenticator(),
                parts.csrf(),
                parts.throttle(),
                parts.metrics(),
                parts.clock(),
                parts.version());
        ActionApi actions = new ActionApi(
                parts.desk(),
                parts.audit(),
                parts.refreshes(),
                nodes,
                parts.authenticator().mode(),
                parts.metrics());
        ConsoleApi console = new ConsoleApi(
                parts.console(),
                new OwnReload(parts.desk(), parts.audit(), parts.config(), parts.reload()),
                parts.desk(),
                parts.authenticator().mode());
        Map<Endpoint, Handler> all = new EnumMap<>(Endpoint.class);
        for (Endpoint endpoint : Endpoint.values()) {
            Handler handler = switch (endpoint) {
                case UI_CONFIG -> Door.open(session::uiConfig);
                case SIGN_IN ->
                    Door.open(request -> {
                        door.requireOwnPage(request);
                        return session.signIn(request);
                    });
                case OPENAPI ->
                    Door.open(request -> Response.json(200, openApi()).withHeader("Cache-Control", "no-cache"));
                case EVENTS -> new EventsApi(door, parts.streams(), parts.openers());
                case ME -> door.guard(endpoint, session::me);
                case SIGN_OUT -> door.guard(endpoint, session::signOut);
                case NODES -> door.guard(endpoint, nodes::nodes);
                case NODE -> door.guard(endpoint, nodes::one);
                case STATUS -> door.guard(endpoint, nodes::status);
                case HEALTH -> door.guard(endpoint, nodes::health);
                case READY -> door.guard(endpoint, nodes::ready);
                case VERSION -> door.guard(endpoint, nodes::version);
                case SUMMARY -> door.guard(endpoint, nodes::summary);
                case FACETS -> door.guard(endpoint, nodes::facets);
                case KEYS -> door.guard(endpoint, nodes::keys);
                case SERIES -> door.guard(endpoint, nodes::series);
                case PANELS -> door.guard(endpoint, nodes::panels);
                case REFRESH -> door.guard(endpoint, actions::refresh);
                case RELOAD -> door.guard(endpoint, actions.act(Action.RELOAD), actions.turnedAway(Action.RELOAD));
                case DRAIN -> door.guard(endpoint, actions.act(Action.DRAIN), actions.turnedAway(Action.DRAIN));
                case RESUME -> door.guard(endpoint, actions.act(Action.RESUME), actions.turnedAway(Action.RESUME));
                case SHUTDOWN ->
                    door.guard(endpoint, actions.act(Action.SHUTDOWN), actions.turnedAway(Action.SHUTDOWN));
                case AUDIT -> door.guard(endpoint, actions::audit);
                case CONSOLE -> door.guard(endpoint, console::show);
                case CONSOLE_RELOAD -> door.guard(endpoint, console::reload, console::turnedAway);
            };
            all.put(endpoint, handler);
        }
        return all;
    }

    /** Written when it is first asked for: few ask, and every start would wait for it. */
    private byte[] openApi() {
        byte[] written = openApi;
        if (written == null) {
            written = OpenApi.write(parts.version()).getBytes(StandardCharsets.UTF_8);
            openApi = written;
        }
        return written;
    }
}
