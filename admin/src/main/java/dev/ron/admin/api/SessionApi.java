package dev.ron.admin.api;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminMetrics;
import dev.ron.admin.auth.Authenticator;
import dev.ron.admin.auth.Csrf;
import dev.ron.admin.auth.Identity;
import dev.ron.admin.auth.PassportAuth;
import dev.ron.admin.view.Me;
import dev.ron.admin.view.Small;
import dev.ron.admin.view.UiConfig;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.time.Clock;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What a page asks first: how it is to look, who looks at it, and signing in and out. */
final class SessionApi {
    private static final Duration LONGEST = Duration.ofHours(8);

    private final Supplier<AdminConfig> config;
    private final Authenticator authenticator;
    private final Csrf csrf;
    private final Guarded<SignInThrottle> throttle;
    private final AdminMetrics metrics;
    private final Clock clock;
    private final String version;

    SessionApi(
            Supplier<AdminConfig> config,
            Authenticator authenticator,
            Csrf csrf,
            Guarded<SignInThrottle> throttle,
            AdminMetrics metrics,
            Clock clock,
            String version) {
        this.config = config;
        this.authenticator = authenticator;
        this.csrf = csrf;
        this.throttle = throttle;
        this.metrics = metrics;
        this.clock = clock;
        this.version = version;
    }

    Response uiConfig(Request request) {
        AdminConfig now = config.get();
        AdminConfig.ActionsConfig actions = now.actions();
        List<String> themes = new ArrayList<>();
        Arrays.stream(AdminConfig.Theme.values())
                .forEach(theme -> themes.add(theme.name().toLowerCase(Locale.ROOT)));
        return NodeApi.ok(new UiConfig(
                now.ui().theme().name().toLowerCase(Locale.ROOT),
                themes,
                now.ui().language(),
                List.of("en-US", "es-ES"),
                now.ui().readOnly(),
                new UiConfig.ActionSwitches(actions.enableReload(), actions.enableDrain(), actions.enableShutdown()),
                authenticator.mode(),
                now.auth().loginUrl().isEmpty() ? null : now.auth().loginUrl(),
                new UiConfig.Poll(
                        now.polling().statusInterval().toMillis(),
                        now.polling().metricsInterval().toMillis()),
                now.polling().metricsWindow().toSeconds(),
                version,
                now.ui().instanceName().isEmpty() ? null : now.ui().instanceName(),
                now.ui().banner().isEmpty()
                        ? null
                        : new UiConfig.Banner("info", now.ui().banner())));
    }

    Response me(Request request, Identity identity) {
        return NodeApi.ok(new Me(
                identity.subject(),
                identity.displayName(),
                identity.roleWords(),
                identity.groups(),
                authenticator.mode(),
                identity.expiresAt().orElse(null),
                csrf.token(identity)));
    }

    /**
     * Takes a token and keeps it in a cookie, where no script can read it.
     *
     * <p>The token is looked at first and only bad ones are slowed down: people behind one proxy share an address, and
     * none must lock out the others. The look costs one signature at most, of a token of at most 8 KiB, and the requests
     * at once are bounded; it is what every other route does with a token, too.
     */
    Response signIn(Request request) {
        if (!(authenticator instanceof PassportAuth passport)) {
            throw new RonException(Code.NOT_FOUND, "not_found", "nobody signs in here in mode " + authenticator.mode());
        }
        String peer = request.peer() instanceof InetSocketAddress at && at.getAddress() != null
                ? at.getAddress().getHostAddress()
                : "?";
        Small.SessionAsked asked = request.json(Json.STRICT, Small.SessionAsked.class);
        Identity identity;
        try {
            identity = passport.identify(asked.token().strip(), request, true);
        } catch (RonException refused) {
            metrics.authFailed(refused.reason());
            if (refused.code() == Code.UNAUTHENTICATED) {
                throttle.with(t -> {
                    t.failed(peer, clock.nanos());
                    return t;
                });
            }
            throw refused;
        }
        Duration life = identity.expiresAt()
                .map(end -> Duration.between(clock.now(), end))
                .filter(left -> left.compareTo(LONGEST) < 0)
                .orElse(LONGEST);
        return Response.noContent()
                .withHeader("Set-Cookie", cookie(asked.token().strip(), life.toSeconds(), request))
                .withHeader("Cache-Control", "no-store");
    }

    Response signOut(Request request, Identity identity) {
        return Response.noContent()
                .withHeader("Set-Cookie", cookie("", 0, request))
                .withHeader("Cache-Control", "no-store");
    }

    private String cookie(String value, long seconds, Request request) {
        String host = request.headers().first("Host").orElse("");
        boolean local = host.startsWith("127.") || host.startsWith("localhost") || host.startsWith("[::1]");
        return config.get().auth().cookieName() + "=" + value + "; Path=/; HttpOnly; SameSite=Strict; Max-Age="
                + seconds + (request.secure() || !local ? "; Secure" : "");
    }
}
