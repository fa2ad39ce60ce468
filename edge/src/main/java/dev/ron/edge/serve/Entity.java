package dev.ron.edge.serve;

import dev.ron.edge.range.ByteRange;
import dev.ron.edge.range.HttpDate;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A representation as the head of its answer describes it.
 *
 * @param coding the content coding, empty for none
 * @param varies whether other codings of the same thing exist
 * @param policy the Content-Security-Policy, empty for none
 */
public record Entity(
        String mediaType, String coding, boolean varies, Representation is, String cacheControl, String policy) {
    /** What an origin or a folder holds must not act in our name. */
    private static final String SANDBOX = "sandbox; default-src 'none'";
    /** What no browser runs when it is opened by its URL; of scripts and styles it shows the text. */
    private static final Pattern INERT = Pattern.compile("(?:(?:image|audio|video|font)/(?!svg)[\\w.+-]+(?<!xml)"
            + "|text/(?:plain|css|csv|javascript)"
            + "|application/(?:json|[\\w.-]+\\+json|javascript|octet-stream|wasm|pdf|gzip|zip"
            + "|protobuf|x-protobuf|vnd\\.mapbox-vector-tile|vnd\\.maplibre-(?:vector-)?tile"
            + "|vnd\\.pmtiles|vnd\\.sqlite3|x-sqlite3|font-\\w+|x-font-\\w+|vnd\\.ms-fontobject))");

    /** Something that is not ours: unless it is known that it cannot act, it is kept in a sandbox. */
    public Entity(String mediaType, String coding, boolean varies, Representation is, String cacheControl) {
        this(mediaType, coding, varies, is, cacheControl, isInert(mediaType) ? "" : SANDBOX);
    }

    /** The fields of a 200. */
    public Headers whole(String cacheStatus) {
        return start(cacheStatus).build();
    }

    /** The fields of a 206 with one range. */
    public Headers part(ByteRange range, String cacheStatus) {
        return start(cacheStatus)
                .add("Content-Range", range.contentRange(is.length()))
                .build();
    }

    /** The fields of a 206 with several. */
    public Headers parts(String boundary, String cacheStatus) {
        Headers.Builder fields =
                new Headers.Builder().add("Content-Type", "multipart/byteranges; boundary=" + boundary);
        return validators(fields, cacheStatus).build(); // what is coded are the parts, which say so
    }

    /** The fields of a 304: RFC 9110, 15.4.5, wants what a cache may have to renew, and nothing else about the bytes. */
    public Headers notModified(String cacheStatus) {
        return freshness(new Headers.Builder().add(Cors.ORIGIN, "*"), cacheStatus)
                .build();
    }

    /** The fields of a 416, from which a reader learns the length. */
    public Headers unsatisfied(String cacheStatus) {
        Headers.Builder fields = new Headers.Builder()
                .add("Content-Range", ByteRange.unsatisfied(is.length()))
                .add("ETag", is.tag().toString())
                .add("Accept-Ranges", "bytes");
        if (!cacheStatus.isEmpty()) {
            fields.add("Cache-Status", cacheStatus);
        }
        return fields.build();
    }

    private Headers.Builder start(String cacheStatus) {
        Headers.Builder fields = new Headers.Builder().add("Content-Type", mediaType);
        if (!policy.isEmpty()) {
            fields.add("Content-Security-Policy", policy);
        }
        if (!coding.isEmpty()) {
            fields.add("Content-Encoding", coding);
        }
        return validators(fields, cacheStatus);
    }

    private Headers.Builder validators(Headers.Builder fields, String cacheStatus) {
        fields.add("Accept-Ranges", "bytes");
        is.lastModified().ifPresent(at -> fields.add("Last-Modified", HttpDate.format(at)));
        return freshness(fields, cacheStatus);
    }

    private Headers.Builder freshness(Headers.Builder fields, String cacheStatus) {
        fields.add("ETag", is.tag().toString()).add("Cache-Control", cacheControl);
        if (varies) {
            fields.add("Vary", "Accept-Encoding");
        }
        if (!cacheStatus.isEmpty()) {
            fields.add("Cache-Status", cacheStatus);
        }
        return fields;
    }

    /** With a comma it is a list, of which browsers take the last. */
    private static boolean isInert(String mediaType) {
        int semicolon = mediaType.indexOf(';');
        String type = semicolon < 0 ? mediaType : mediaType.substring(0, semicolon);
        return mediaType.indexOf(',') < 0
                && INERT.matcher(type.strip().toLowerCase(Locale.ROOT)).matches();
    }

    public Entity withCacheControl(String other) {
        return new Entity(mediaType, coding, varies, is, other, policy);
    }
}
