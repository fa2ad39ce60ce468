package dev.ron.gateway.config;

import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Within;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code [gateway.upstreams.<id>]}: the targets behind a route. */
@Doc("An upstream: one service, on one or more targets.")
public record UpstreamConfig(
        List<TargetConfig> targets,

        @Doc("Requests it works on at once; what it cannot take waits here.")
        @Default("64")
        @Range(min = 1, max = 65_535)
        int maxInflight,

        @Doc("Connect and TLS handshake.") @Default("1s") @Within(min = "10ms", max = "60s")
        Duration connectTimeout,

        @Doc("Connections to one target, besides those of open streams.") @Default("256") @Range(min = 1, max = 65_535)
        int maxConnections,

        @Doc("Requests that may wait for a connection.") @Default("128") @Range(min = 0, max = 65_535)
        int maxPending,

        @Doc("How long an unused connection is kept.") @Default("30s") @Within(min = "1s", max = "1h")
        Duration idle,

        @Doc("How often the names of targets are looked up again.") @Default("10s") @Within(min = "1s", max = "1h")
        Duration dnsInterval,

        @Doc("Sends the caller's Host instead of the target's.") @Default("false")
        boolean preserveHost,

        @Doc("Sends the caller's Authorization on, a capability only sealed and narrowed to this upstream's audience.")
        @Default("false")
        boolean forwardAuthorization,

        @Doc("What the upstream calls itself in capabilities; without it svc-<its name>.")
        Optional<String> audience,

        @Doc("Whether the gateway cannot do without it.") @Default("false")
        boolean critical,

        @Doc("Event streams and upgraded connections it has open at once.")
        @Default("1024")
        @Range(min = 0, max = 65_535)
        @OnChange(Change.RESTART)
        int maxStreams,

        @Doc("Of these, how many one tenant may hold.")
        @Default("256")
        @Range(min = 0, max = 65_535)
        @OnChange(Change.RESTART)
        int maxStreamsPerTenant,

        @Doc("Who signs the certificates of https targets, PEM; without it whom this Java trusts.")
        Optional<Path> caPath,

        Health health) {

    /** The same but for how much it works on at once, which can change while all else stays. */
    public UpstreamConfig withInflight(int most) {
        return new UpstreamConfig(
                targets,
                most,
                connectTimeout,
                maxConnections,
                maxPending,
                idle,
                dnsInterval,
                preserveHost,
                forwardAuthorization,
                audience,
                critical,
                maxStreams,
                maxStreamsPerTenant,
                caPath,
                health);
    }

    /** {@code [[gateway.upstreams.<id>.targets]]}. */
    public record TargetConfig(
            @Doc("Scheme, host and port.") URI url,

            @Doc("Its share among the targets.") @Default("1") @Range(min = 1, max = 1000)
            int weight) {

        @Check(value = "must be http://host:port or https://host:port", key = "url")
        boolean urlIsOrigin() {
            String path = url.getRawPath();
            return Set.of("http", "https").contains(url.getScheme())
                    && (path == null || path.isEmpty() || path.equals("/"))
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
        }
    }

    /** {@code [gateway.upstreams.<id>.health]}. */
    @Doc("How targets are asked whether they are well.")
    public record Health(
            @Doc("Path to ask; without one only requests tell.")
            Optional<String> path,

            @Doc("How often.") @Default("2s") @Within(min = "100ms", max = "10m")
            Duration interval,

            @Doc("How long an answer may take.") @Default("1s") @Within(min = "10ms", max = "1m")
            Duration timeout,

            @Doc("So many bad answers in a row take a target out.") @Default("3") @Range(min = 1, max = 100)
            int fall,

            @Doc("So many good ones bring it back.") @Default("2") @Range(min = 1, max = 100)
            int rise) {}

    @Check(value = "must have 1 to 128 of A-Z a-z 0-9 . _ : / -", key = "audience")
    boolean audienceIsName() {
        return audience.map(name -> name.matches("[A-Za-z0-9._:/-]{1,128}")).orElse(true);
    }

    @Check(value = "at least one target is needed", key = "targets")
    boolean hasTargets() {
        return !targets.isEmpty();
    }
}
