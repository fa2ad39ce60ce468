package dev.ron.gateway;

import dev.ron.gateway.auth.TrustedIssuers;
import dev.ron.gateway.config.AuthConfig;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.route.RouteTable;
import dev.ron.http.client.Addresses;
import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.service.client.Outbound;
import dev.ron.service.config.Secret;
import dev.ron.service.keys.ForeignIssuer;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.keys.RevocationFeed;
import dev.ron.token.keys.Tenants;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Follows every issuer whose tokens are trusted. */
final class Issuers {
    private static final Duration FEED_LIMIT = Duration.ofSeconds(10);

    private Issuers() {}

    static TrustedIssuers start(
            AuthConfig config,
            Optional<IssuerSource> office,
            EventLoops loops,
            Addresses addresses,
            ServiceContext context) {
        HttpClient client = client(ClientTls.publicRoots(), loops, addresses, context);
        List<IssuerKeys> all = new ArrayList<>();
        var tasks = context.kernel().kind(IssuerKeys.TASK);
        for (IssuerSource source : sources(config, office)) {
            HttpClient asking = source.roots().isEmpty() ? client : client(source.tls(), loops, addresses, context);
            IssuerKeys keys = new IssuerKeys(
                    source, asking, context.clock(), context.kernel().meter());
            tasks.spawn(keys::run);
            all.add(keys);
        }
        List<ForeignIssuer> foreign = new ArrayList<>();
        for (ForeignIssuer.Source source : foreignSources(config)) {
            ForeignIssuer issuer = new ForeignIssuer(
                    source, client, context.clock(), context.kernel().meter());
            tasks.spawn(issuer::run);
            foreign.add(issuer);
        }
        if (all.isEmpty() && foreign.isEmpty()) {
            tasks.spawn(scope -> scope.awaitStop(Deadline.never(scope.clock())));
        }
        context.metrics()
                .gauge(
                        "auth_feed_age_seconds",
                        "How old the known revocations are, at worst.",
                        () -> all.stream()
                                .mapToLong(IssuerKeys::ageSeconds)
                                .max()
                                .orElse(0));
        return new TrustedIssuers(all, foreign);
    }

    private static HttpClient client(ClientTls tls, EventLoops loops, Addresses addresses, ServiceContext context) {
        return Outbound.open(
                context,
                Stage.WRITERS,
                loops,
                addresses,
                tls,
                ClientOptions.defaults().withTotalLimit(FEED_LIMIT).withMaxBodyBytes(RevocationFeed.MAX_BYTES),
                context.kernel().meter());
    }

    private static List<IssuerSource> sources(AuthConfig config, Optional<IssuerSource> office) {
        List<IssuerSource> sources = new ArrayList<>();
        office.ifPresent(sources::add);
        config.keysUrl()
                .ifPresent(url -> sources.add(
                        source(config.issuer().orElse(url.toString()), url, config.feedKey(), List.of("*"))));
        config.issuers()
                .values()
                .forEach(one -> one.keysUrl()
                        .ifPresent(url -> sources.add(source(one.iss(), url, one.feedKey(), one.tenants()))));
        return sources;
    }

    private static List<ForeignIssuer.Source> foreignSources(AuthConfig config) {
        List<ForeignIssuer.Source> sources = new ArrayList<>();
        for (AuthConfig.Issuer one : config.issuers().values()) {
            if (one.keysUrl().isEmpty()) {
                sources.add(foreignSource(config, one));
            }
        }
        return sources;
    }

    private static ForeignIssuer.Source foreignSource(AuthConfig config, AuthConfig.Issuer one) {
        JwtConfig rules = JwtConfig.of(one.iss(), one.audience().orElse(config.audience()))
                .withAlgs(ForeignIssuer.algs(one.algs()))
                .withLeniency(false, one.allowUntyped())
                .withClients(Set.copyOf(one.clients()))
                .withSkew(config.clockSkew().toSeconds());
        return new ForeignIssuer.Source(rules, one.jwksUrl(), tenants(one.tenants()));
    }

    private static Tenants tenants(List<String> names) {
        return names.contains("*") ? Tenants.ALL : Tenants.only(Set.copyOf(names));
    }

    private static IssuerSource source(String iss, URI url, Optional<Secret> key, List<String> tenants) {
        String text = url.toString();
        String base = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        Supplier<Optional<String>> credential =
                () -> key.map(secret -> secret.use(bytes -> new String(bytes, StandardCharsets.UTF_8).strip()));
        return new IssuerSource(iss, base, credential, tenants(tenants));
    }

    /** A route that needs a token which nobody can issue would refuse everything: better to say so at the start. */
    static void requireFor(GatewayConfig config, TrustedIssuers issuers) {
        for (GatewayRoute route : RouteTable.of(config.routes()).all()) {
            boolean needs = route.config().methods().stream().anyMatch(route::needsToken);
            if (needs && issuers.none()) {
                throw new NoIssuer(route.id());
            }
        }
    }
}
