package dev.ron.gateway.coding;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.ResponseStream;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which answers are compressed: those of a kind that gains by it, for callers that ask for it.
 *
 * <p>Left as they are: what is coded or partial already, what must not be transformed, event streams, and what is too
 * small to gain. The compressed form is another representation: it gets a weak tag, and caches are told what it varies
 * with, also where this caller gets the plain form.
 */
public final class Compression {
    private static final Set<Integer> WHOLE_LESS = Set.of(204, 205, 206, 304);
    /** What speaks of the bytes of the plain form. */
    private static final Set<String> OF_PLAIN_BYTES =
            Set.of("etag", "accept-ranges", "content-md5", "digest", "content-digest", "repr-digest");

    private final GatewayConfig.Compress config;
    private final CodingLane lane;

    public Compression(GatewayConfig.Compress config, CodingLane lane) {
        this.config = config;
        this.lane = lane;
    }

    /** How one answer goes out. */
    public static final class Plan {
        private final Headers fields;
        private final Optional<CodingLane.Place> place;

        private Plan(Headers fields, Optional<CodingLane.Place> place) {
            this.fields = fields;
            this.place = place;
        }

        /** As it came. */
        public static Plan plain(Headers fields) {
            return new Plan(fields, Optional.empty());
        }

        public Headers fields() {
            return fields;
        }

        public boolean compresses() {
            return place.isPresent();
        }

        /** Puts the compressor in front of the answer, where the plan says so; to be closed with the exchange. */
        public Optional<CompressedStream> wrap(ResponseStream out, Exchange exchange, ByteBufAllocator allocator) {
            return place.map(one -> new CompressedStream(out, one, exchange.loop(), allocator));
        }
    }

    /** A plan that compresses has a place in the lane until its stream is closed: it must be wrapped. */
    public Plan plan(TenantKey tenant, Headers asked, ResponseHead head, Headers fields) {
        if (!config.enabled() || !gains(asked, head)) {
            return Plan.plain(fields);
        }
        Headers varying = varying(fields);
        if (head.bodyless() || !AcceptEncoding.gzip(asked)) {
            return Plan.plain(varying);
        }
        Optional<CodingLane.Place> place = lane.enter(tenant);
        return new Plan(place.isPresent() ? compressed(varying) : varying, place);
    }

    private boolean gains(Headers asked, ResponseHead head) {
        Headers said = head.headers();
        boolean large = head.length() < 0 || head.length() >= config.minBytes().count();
        return large
                && !WHOLE_LESS.contains(head.status())
                && !said.contains("Content-Encoding")
                && !said.contains("Content-Range")
                && !said.hasToken("Cache-Control", "no-transform")
                && !asked.hasToken("Cache-Control", "no-transform")
                && said.first("Content-Type").filter(this::listed).isPresent();
    }

    private boolean listed(String contentType) {
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return !type.equals("text/event-stream") && config.types().stream().anyMatch(listed -> fits(listed, type));
    }

    private static boolean fits(String listed, String type) {
        return listed.endsWith("/*") ? type.startsWith(listed.substring(0, listed.length() - 1)) : type.equals(listed);
    }

    private static Headers varying(Headers fields) {
        List<String> vary = fields.all("Vary");
        boolean told = fields.hasToken("Vary", "Accept-Encoding") || fields.hasToken("Vary", "*");
        return told ? fields : with(fields, Set.of("vary"), "vary", join(vary));
    }

    private static String join(List<String> vary) {
        return vary.isEmpty() ? "accept-encoding" : String.join(", ", vary) + ", accept-encoding";
    }

    private static Headers compressed(Headers fields) {
        Headers coded = with(fields, OF_PLAIN_BYTES, "content-encoding", "gzip");
        Optional<String> tag = fields.first("ETag");
        return tag.map(plain -> with(coded, Set.of(), "etag", plain.startsWith("W/") ? plain : "W/" + plain))
                .orElse(coded);
    }

    private static Headers with(Headers from, Set<String> without, String name, String value) {
        Headers.Builder to = new Headers.Builder();
        for (int i = 0; i < from.size(); i++) {
            if (!without.contains(from.name(i).toLowerCase(Locale.ROOT))) {
                to.copy(from, i);
            }
        }
        return to.add(name, value).build();
    }
}
