package dev.ron.edge.serve;

import dev.ron.edge.range.ByteRange;
import dev.ron.edge.range.HttpDate;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;

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

    /** Something that is not ours: where it could act, it is kept in a sandbox. */
    public Entity(String mediaType, String coding, boolean varies, Representation is, String cacheControl) {
        this(mediaType, coding, varies, is, cacheControl, isActive(mediaType) ? SANDBOX : "");
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
        return validators(fields, cacheStatus).build();
    }

    /** The fields of a 304: RFC 9110, 15.4.5, wants what a cache may have to renew, and nothing else about the bytes. */
    public Headers notModified(String cacheStatus) {
        return freshness(new Headers.Builder().add(Cors.ORIGIN, "*"), cacheStatus)
                .build();
    }

    /** The fields of a 416, from which a reader learns the length. */
    public Headers unsatisfied(String cacheStatus) {
        return new Headers.Builder()
                .add("Content-Range", ByteRange.unsatisfied(is.length()))
                .add("ETag", is.tag().toString())
                .add("Accept-Ranges", "bytes")
                .add("Cache-Status", cacheStatus)
                .build();
    }

    private Headers.Builder start(String cacheStatus) {
        Headers.Builder fields = new Headers.Builder().add("Content-Type", mediaType);
        if (!policy.isEmpty()) {
            fields.add("Content-Security-Policy", policy);
        }
        return validators(fields, cacheStatus);
    }

    private Headers.Builder validators(Headers.Builder fields, String cacheStatus) {
        if (!coding.isEmpty()) {
            fields.add("Content-Encoding", coding);
        }
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

    private static boolean isActive(String mediaType) {
        return mediaType.startsWith("text/html")
                || mediaType.startsWith("image/svg")
                || mediaType.startsWith("application/xml")
                || mediaType.startsWith("application/xhtml")
                || mediaType.startsWith("text/xml");
    }

    public Entity withCacheControl(String other) {
        return new Entity(mediaType, coding, varies, is, other, policy);
    }
}
