package dev.ron.edge.config;

import dev.ron.edge.config.EdgeConfig.EtagRule;
import dev.ron.service.config.Bytes;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** {@code [edge.routes.<id>]}: paths under /edge/assets/ that are fetched from an origin. */
@Doc("A prefix of asset paths and the origin it is fetched from.")
public record FillRouteConfig(
        @Doc("What the paths begin with, such as fonts/; the longest one wins.")
        String prefix,

        @Doc("What takes its place, such as https://fonts.example.org/s/.")
        URI base,

        @Doc("Query parameters that are passed on; others are dropped.") @Default("")
        List<String> query,

        @Doc("Overrides edge.live_fill.etag.") Optional<EtagRule> etag,

        @Doc("Seconds an object is fresh, whatever its origin says.")
        Optional<Integer> ttlSecs,

        @Doc("Lowers edge.live_fill.max_object_bytes.") Optional<Bytes> maxBytes,

        @Doc("Media types that are taken; empty takes all.") @Default("")
        List<String> contentTypes,

        @Doc("Cache-Control of the answers, which then have no Age; without one it says how long they are fresh here.")
        Optional<String> cacheControl) {

    @Check(value = "must be a path without leading slash that ends in a slash", key = "prefix")
    boolean prefixIsFolder() {
        return prefix.matches("([A-Za-z0-9_~-][A-Za-z0-9._~-]*/)+");
    }

    @Check(value = "must be https://host/path/ without user, query and fragment", key = "base")
    boolean baseIsHttps() {
        return "https".equals(base.getScheme())
                && base.getHost() != null
                && base.getRawUserInfo() == null
                && base.getRawQuery() == null
                && base.getRawFragment() == null
                && base.getRawPath() != null
                && base.getRawPath().endsWith("/");
    }

    @Check(value = "must be directives such as public, max-age=3600", key = "cache_control")
    boolean cacheControlIsValid() {
        return cacheControl.map(Directives::areValid).orElse(true);
    }
}
