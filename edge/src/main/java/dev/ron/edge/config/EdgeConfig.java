package dev.ron.edge.config;

import dev.ron.service.config.Bytes;
import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Within;
import dev.ron.service.tls.TlsConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code [edge]}: assets and map tiles from packs, a content store and live fills. */
@Doc("Serves assets and map tiles.")
public record EdgeConfig(
        @Doc("Every .pmtiles and .mbtiles file here is served under its name; styles, sprites and fonts below it too.")
        Optional<Path> packsDir,

        @Doc("How often packs_dir is looked at.") @Default("1s") @Within(min = "10ms", max = "1h")
        Duration packsInterval,

        @Doc("Files served under /edge/assets/.") Optional<Path> assetsDir,

        @Doc("What clients call this server, for the URLs in TileJSON; without one the Host they sent is used.")
        Optional<URI> publicUrl,

        @Doc("Answer where a pack has no tile: 204, or 404 for raster maps that then show the tile above.")
        @Default("204")
        @Range(min = 204, max = 404)
        @OnChange(Change.HOT)
        int missingTile,

        @Doc("Cache-Control of what is addressed by a name and was not fetched.")
        @Default("public, max-age=3600")
        @OnChange(Change.HOT)
        String cacheControl,

        @Doc("Adds the version of the pack to tile URLs, which may then be kept for ever.")
        @Default("true")
        @OnChange(Change.HOT)
        boolean versionedTiles,

        @Doc("How much of a pack is checked in the background: header, directory (every directory or row, then slowly"
                + " the digest), full (the digest as fast as it goes).")
        @Default("directory")
        Verify verify,

        @Doc("Largest tile.") @Default("8MiB") @Within(min = "64KiB", max = "256MiB")
        Bytes maxTileBytes,

        @Doc("Memory for hot tiles and small files; answers to slow readers may hold half as much again, or 16 MiB if"
                + " that is more.")
        @Default("64MiB")
        @Within(min = "1MiB", max = "64GiB")
        Bytes cacheBytes,

        @Doc("Memory for directories of PMTiles, all packs together.")
        @Default("32MiB")
        @Within(min = "1MiB", max = "8GiB")
        Bytes dirCacheBytes,

        @Doc("Larger files and stored objects are sent from the page cache by sendfile.")
        @Default("64KiB")
        @Within(min = "4KiB", max = "64MiB")
        Bytes maxCachedBytes,

        @Doc("Tasks that fetch from origins; 0 means four per core, at most 32.")
        @Default("0")
        @Range(min = 0, max = 256)
        int workers,

        @Doc("How long fetches go on when the service stops; then those who wait for them are answered 503.")
        @Default("3s")
        @Within(min = "0s", max = "60s")
        @OnChange(Change.HOT)
        Duration drainDeadline,

        @Doc("Serves the list of packs and the preview map under /edge/.") @Default("true")
        boolean preview,

        @Doc("Hosts that may be fetched from: host, host:port or *.suffix.") @Default("") @OnChange(Change.HOT)
        List<String> allow,

        Map<String, FillRouteConfig> routes,
        TlsConfig tls,
        Ingress ingress,
        Http http,
        Cas cas,
        LiveFill liveFill,
        Retry retry) {

    /** How much of a pack is checked. */
    public enum Verify {
        HEADER,
        DIRECTORY,
        FULL
    }

    /** {@code [edge.ingress]}. */
    @Doc("What is shed at the door.")
    public record Ingress(
            @Doc("Seconds until an answer must have begun, and for the head of a request.")
            @Default("5")
            @Range(min = 1, max = 60)
            int timeoutSecs,

            @Doc("Seconds a connection may be idle.") @Default("60") @Range(min = 1, max = 3600)
            int idleSecs,

            @Doc("Requests at once that are not answered from memory.")
            @Default("512")
            @Range(min = 1, max = 65_536)
            @OnChange(Change.HOT)
            int maxInflight,

            @Doc("Connections at once; one address (of IPv6: one /64) may hold half of them.")
            @Default("4096")
            @Range(min = 1, max = 1_000_000)
            int maxConns,

            @Doc("Requests per second.") @Default("500") @Range(min = 1, max = 10_000_000) @OnChange(Change.HOT)
            int rpsLimit,

            @Doc("Largest request body; the edge's own paths take none.")
            @Default("1MiB")
            @Within(min = "1KiB", max = "64MiB")
            Bytes bodyBytes,

            @Doc("Most that a compressed body may grow.") @Default("10") @Range(min = 1, max = 1000)
            int decompressMaxRatio,

            @Doc("The most that anything may decode to, such as a tile for a client that does not read its coding.")
            @Default("10MiB")
            @Within(min = "1KiB", max = "1GiB")
            Bytes decompressAbsBytes) {}

    /** {@code [edge.http]}. */
    @Doc("Details of the answers.")
    public record Http(
            @Doc("Answers several ranges at once; else such a request is 416.") @Default("false")
            boolean enableMultiRange,

            @Doc("Says in Cache-Status where an answer came from.") @Default("true")
            boolean cacheStatus,

            @Doc("Under TLS, tells browsers for a year to come back that way only.") @Default("true")
            boolean hsts) {}

    /** {@code [edge.cas]}. */
    @Doc("The store of what was fetched, by digest.")
    public record Cas(
            @Doc("Its folder; without one it is under node.data.")
            Optional<Path> dir,

            @Doc("Bytes on disk; the least recently used go first.")
            @Default("10GiB")
            @Within(min = "1MiB", max = "65536GiB")
            Bytes maxBytes,

            @Doc("Bytes in memory where nothing is written.") @Default("64MiB") @Within(min = "1MiB", max = "64GiB")
            Bytes ramMaxBytes) {}

    /** {@code [edge.live_fill]}. */
    @Doc("How objects are fetched from their origins.")
    public record LiveFill(
            @Doc("Seconds for one attempt: name, connection, head and body.") @Default("5") @Range(min = 1, max = 60)
            int timeoutSecs,

            @Doc("Milliseconds to connect.") @Default("2000") @Range(min = 50, max = 10_000)
            int connectMs,

            @Doc(
                    "Largest object; one that must not be kept, or that ends only where its connection does, may have 8 MiB"
                            + " at most.")
            @Default("64MiB")
            @Within(min = "1KiB", max = "4GiB")
            Bytes maxObjectBytes,

            @Doc("Fills begun per second.") @Default("100") @Range(min = 1, max = 1_000_000)
            int rps,

            @Doc("Fills begun at once.") @Default("200") @Range(min = 1, max = 1_000_000)
            int burst,

            @Doc("Requests that wait for fills of one origin.") @Default("1024") @Range(min = 1, max = 1_000_000)
            int maxWaiters,

            @Doc("What is demanded of an origin's ETag: required, if_present or ignore.") @Default("required")
            EtagRule etag,

            @Doc("Seconds an object is fresh where its origin says nothing.")
            @Default("3600")
            @Range(min = 0, max = 604_800)
            int defaultTtlSecs,

            @Doc("The least.") @Default("60") @Range(min = 0, max = 604_800)
            int minTtlSecs,

            @Doc("The most.") @Default("86400") @Range(min = 1, max = 31_536_000)
            int maxTtlSecs,

            @Doc("Seconds a stale object is served while it is fetched again; 0 never.")
            @Default("0")
            @Range(min = 0, max = 604_800)
            int swrSecs,

            @Doc("Seconds a stale object is served while its origin fails; 0 never.")
            @Default("0")
            @Range(min = 0, max = 604_800)
            int staleIfErrorSecs,

            @Doc("Seconds that a missing object is remembered as missing.") @Default("60") @Range(min = 0, max = 3600)
            int negativeTtlSecs,

            @Doc("Accepts TLS 1.2 of an origin.") @Default("false")
            boolean tls12,

            @Doc("Certificates to trust, PEM; without it those of the system.")
            Optional<Path> caFile,

            @Doc("Private networks that may be fetched from, as 10.1.0.0/16.") @Default("")
            List<String> privateNets) {

        @Check(value = "must be networks such as 10.1.0.0/16", key = "private_nets")
        boolean netsAreNetworks() {
            return privateNets.stream().allMatch(Network::isValid);
        }

        @Check(
                value = "min_ttl_secs, default_ttl_secs and max_ttl_secs must be in this order",
                key = "default_ttl_secs")
        boolean ttlsInOrder() {
            return minTtlSecs <= defaultTtlSecs && defaultTtlSecs <= maxTtlSecs;
        }
    }

    /** What is demanded of an origin's ETag. */
    public enum EtagRule {
        REQUIRED,
        IF_PRESENT,
        IGNORE
    }

    /** {@code [edge.retry]}. */
    @Doc("When an attempt is repeated.")
    public record Retry(LiveFillRetry liveFill) {}

    /** {@code [edge.retry.live_fill]}. */
    @Doc("Waits min(max_ms, base_ms * 2^n) + U[0, base_ms] before retry n.")
    public record LiveFillRetry(
            @Doc("The first wait, and the bound of the jitter.") @Default("50") @Range(min = 1, max = 60_000)
            int baseMs,

            @Doc("The longest wait.") @Default("800") @Range(min = 1, max = 60_000)
            int maxMs,

            @Doc("Retries of one fill after a time-out, a 503 or a 504. All retries together stay within a tenth of the"
                    + " fills, or ten a second if that is more.")
            @Default("2")
            @Range(min = 0, max = 5)
            int maxRetries,

            @Doc("Adds the random part.") @Default("true") boolean jitter) {

        @Check(value = "must not be longer than edge.retry.live_fill.max_ms", key = "base_ms")
        boolean boundsInOrder() {
            return baseMs <= maxMs;
        }
    }

    @Check(value = "must be 204 or 404", key = "missing_tile")
    boolean missingTileIsKnown() {
        return missingTile == 204 || missingTile == 404;
    }

    @Check(value = "must be directives such as public, max-age=3600", key = "cache_control")
    boolean cacheControlIsValid() {
        return Directives.areValid(cacheControl);
    }

    @Check(value = "must be http or https without path, query or fragment", key = "public_url")
    boolean publicUrlIsPlain() {
        return publicUrl.map(EdgeConfig::isPlain).orElse(true);
    }

    private static boolean isPlain(URI url) {
        boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        return web
                && url.getHost() != null
                && url.getRawQuery() == null
                && url.getRawFragment() == null
                && (url.getRawPath() == null
                        || url.getRawPath().isEmpty()
                        || url.getRawPath().equals("/"));
    }

    /** The fill tasks there will be. */
    public int workerCount() {
        return workers > 0 ? workers : Math.min(4 * Runtime.getRuntime().availableProcessors(), 32);
    }
}
