package dev.ron.edge.fill;

import dev.ron.edge.config.EdgeConfig;
import dev.ron.edge.config.EdgeConfig.EtagRule;
import dev.ron.edge.config.FillRouteConfig;
import dev.ron.edge.pack.raw.MediaTypes;
import dev.ron.edge.range.HttpDate;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.message.Headers;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the head of an origin's answer means: take it, take nothing new, or refuse it with a reason.
 *
 * @param said what the origin says of freshness, in this answer and, of what is not modified, before
 */
record Verdict(
        boolean notModified,
        boolean keep,
        String mediaType,
        Optional<String> etag,
        Optional<Instant> lastModified,
        long ageSeconds,
        long ttlSeconds,
        Freshness said) {

    /**
     * Judges a head; an answer that cannot be taken is a RonException that says why.
     *
     * @param before what was asked about, if the request had a condition
     */
    static Verdict of(
            ResponseHead head, AssetKey key, EdgeConfig.LiveFill rules, Optional<Stored> before, Instant now) {
        int status = head.status();
        Headers fields = head.headers();
        Optional<String> asked = before.flatMap(Stored::etag);
        if (status == 304 && asked.isPresent()) {
            checkSame(fields, asked.get(), key);
            Freshness said =
                    before.map(Stored::said).orElse(Freshness.NOTHING_SAID).with(fields);
            return new Verdict(
                    true,
                    mayKeep(fields),
                    "",
                    Optional.empty(),
                    Optional.empty(),
                    Freshness.age(fields).orElse(0L),
                    ttl(fields, said, key, rules, now),
                    said);
        }
        if (status != 200) {
            throw refused(status, fields, key);
        }
        long cap = maxBytes(key, rules);
        if (head.length() > cap) {
            throw upstream("too_large", key + " has " + head.length() + " bytes (expected: at most " + cap + ")");
        }
        String coding = fields.first("Content-Encoding").orElse("identity");
        if (!coding.equalsIgnoreCase("identity")) {
            throw upstream("upstream", key + " came in " + shown(coding) + ", which was not asked for");
        }
        Optional<String> etag = etag(fields, key.route().etag().orElse(rules.etag()), key);
        String type = fields.first("Content-Type").filter(Verdict::isMediaType).orElseGet(() -> byName(key));
        if (!key.route().contentTypes().isEmpty() && !isTaken(type, key.route())) {
            throw upstream("upstream", key + " is " + shown(type) + ", which its route does not take");
        }
        Freshness said = Freshness.NOTHING_SAID.with(fields);
        return new Verdict(
                false,
                isWholeAtItsEnd(head) && mayKeep(fields),
                type,
                etag,
                fields.first("Last-Modified").flatMap(HttpDate::parse),
                Freshness.age(fields).orElse(0L),
                ttl(fields, said, key, rules, now),
                said);
    }

    static long maxBytes(AssetKey key, EdgeConfig.LiveFill rules) {
        long all = rules.maxObjectBytes().count();
        return key.route().maxBytes().map(own -> Math.min(own.count(), all)).orElse(all);
    }

    private static RonException refused(int status, Headers fields, AssetKey key) {
        return switch (status) {
            case 404, 410 -> new RonException(Code.NOT_FOUND, "not_found", "the origin has no " + key);
            case 503 ->
                new RonException(
                        Code.UNAVAILABLE, "upstream", key + ": the origin answered 503", retryAfter(fields), null);
            case 504 -> new RonException(Code.UPSTREAM_TIMEOUT, "timeout", key + ": the origin answered 504");
            case 301, 302, 303, 307, 308 -> upstream("redirect", key + " is elsewhere; redirects are not followed");
            case 408, 429 -> upstream("upstream", key + ": the origin answered " + status);
            case 400, 413, 414, 431 -> upstream("upstream_request", key + ": the origin answered " + status);
            default ->
                status / 100 == 4
                        ? upstream("upstream_refused", key + " is not given to us: the origin answered " + status)
                        : upstream("upstream", key + ": the origin answered " + status);
        };
    }

    /** In seconds, and at most a minute: our own callers are told the same. */
    private static @Nullable Duration retryAfter(Headers fields) {
        return fields.first("Retry-After")
                .filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Math.min(60, Integer.parseInt(text))))
                .orElse(null);
    }

    /** Whether the origin no longer gives the object, to us at least. */
    static boolean takesBack(RonException why) {
        return why.code() == Code.NOT_FOUND || why.reason().equals("upstream_refused");
    }

    /**
     * Whether it says something of one request rather than of the object: another may well be answered. An origin that takes
     * a request for one in a circle refuses it, each in its own way: whoever sends a CDN-Loop can bring that about.
     *
     * @param loop what the request had of it
     */
    static boolean isOfTheRequest(RonException why, String loop) {
        return why.reason().equals("upstream_request")
                || (!loop.isEmpty() && (why.code() == Code.UPSTREAM_PARSE || why.code() == Code.UNAVAILABLE));
    }

    static RonException upstream(String reason, String detail) {
        return new RonException(Code.UPSTREAM_PARSE, reason, detail);
    }

    /** Strong and well-formed, where the rule asks for one: it is what a revalidation will rely on. */
    private static Optional<String> etag(Headers fields, EtagRule rule, AssetKey key) {
        Optional<String> tag = fields.first("ETag");
        boolean strong = tag.isPresent() && tag.get().matches("\"[!#-~\\x80-\\xFF]{0,256}\"");
        boolean weak = tag.isPresent() && tag.get().matches("W/\"[!#-~\\x80-\\xFF]{0,256}\"");
        boolean refused = switch (rule) {
            case REQUIRED -> !strong;
            case IF_PRESENT -> tag.isPresent() && !strong && !weak;
            case IGNORE -> false;
        };
        if (refused) {
            throw upstream(
                    "etag_invalid",
                    key + ": its ETag is " + tag.map(Verdict::shown).orElse("absent")
                            + " (expected: a strong one; edge.live_fill.etag says so)");
        }
        return strong ? tag : Optional.empty();
    }

    /** "Not modified" under another tag is about something else (RFC 9111, 4.3.4). */
    private static void checkSame(Headers fields, String asked, AssetKey key) {
        Optional<String> tag = fields.first("ETag");
        if (tag.isPresent() && !tag.get().equals(asked) && !tag.get().equals("W/" + asked)) {
            throw upstream("etag_invalid", key + ": 304 for " + shown(tag.get()) + " (expected: " + shown(asked) + ")");
        }
    }

    /** A body that lasts until the connection closes ends there too where half of it was lost. */
    private static boolean isWholeAtItsEnd(ResponseHead head) {
        return head.length() != ResponseHead.UNKNOWN
                || head.bodyless()
                || head.headers().contains("Transfer-Encoding");
    }

    private static boolean mayKeep(Headers fields) {
        boolean secret = fields.hasToken("Cache-Control", "private") || fields.hasToken("Cache-Control", "no-store");
        return !secret && !fields.contains("Set-Cookie") && !fields.hasToken("Vary", "*");
    }

    private static long ttl(Headers fields, Freshness said, AssetKey key, EdgeConfig.LiveFill rules, Instant now) {
        return key.route().ttlSecs().map(Integer::longValue).orElseGet(() -> said.ttl(fields, rules, now));
    }

    private static boolean isMediaType(String text) {
        return text.length() <= 128
                && text.matches(
                        "[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(\\s*;\\s*[A-Za-z0-9!#$&^_.+-]+=[\"A-Za-z0-9!#$&^_.+-]+)*");
    }

    private static boolean isTaken(String type, FillRouteConfig route) {
        int semicolon = type.indexOf(';');
        String plain =
                (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        return route.contentTypes().stream().anyMatch(taken -> taken.equalsIgnoreCase(plain));
    }

    private static String byName(AssetKey key) {
        int query = key.target().indexOf('?');
        return MediaTypes.of(query < 0 ? key.target() : key.target().substring(0, query));
    }

    private static String shown(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7E]", "?");
        return plain.length() > 64 ? plain.substring(0, 64) : plain;
    }
}
