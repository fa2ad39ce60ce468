package dev.ron.http.server;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Octets;
import dev.ron.http.message.Trailers;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the fields of HTTP/2 into ours and back. The codec has checked their order and that names are in lower case. */
final class H2Heads {
    private static final AsciiString CORR_ID = AsciiString.cached("x-corr-id");
    private static final AsciiString DATE = AsciiString.cached("date");
    private static final AsciiString LENGTH = AsciiString.cached("content-length");

    private H2Heads() {}

    /** A request that HTTP/2 itself calls malformed: its stream is reset. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        Malformed(String why) {
            super(why, null, false, false);
        }
    }

    /**
     * The head of a request; {@code ends} if no body follows. What it asks for, its host and its length are judged by the
     * same rules as in HTTP/1.
     */
    static ParsedHead request(Http2Headers from, boolean ends) throws Malformed {
        String method = token(from.method());
        String path = visible(from.path());
        CharSequence scheme = from.scheme();
        if (method.isEmpty() || path.isEmpty() || scheme == null || scheme.length() == 0) {
            throw new Malformed("a pseudo-header is missing");
        }
        Headers.Builder to = new Headers.Builder();
        CharSequence authority = from.authority();
        if (authority != null && authority.length() > 0) {
            to.add("host", value(authority));
        }
        StringBuilder cookies = new StringBuilder();
        for (Map.Entry<CharSequence, CharSequence> field : from) {
            String name = field.getKey().toString();
            if (name.startsWith(":")) {
                continue;
            }
            String value = value(field.getValue());
            switch (name) {
                // Crumbs become one field again; another hop knows only that.
                case "cookie" -> cookies.append(cookies.isEmpty() ? "" : "; ").append(value);
                case "host" -> {
                    if (authority == null || authority.length() == 0) {
                        to.add("host", value);
                    } else if (!value.equalsIgnoreCase(authority.toString())) {
                        throw new Malformed("host contradicts :authority");
                    }
                }
                case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" ->
                    throw new Malformed("a field for one hop of HTTP/1");
                case "te" -> {
                    if (!value.equals("trailers")) {
                        throw new Malformed("te says more than trailers");
                    }
                    to.add(name, value);
                }
                default -> to.add(token(name), value);
            }
        }
        if (!cookies.isEmpty()) {
            to.add("cookie", cookies.toString());
        }
        return ParsedHead.overHttp2(method, path, to.build(), !ends);
    }

    static Headers trailers(Http2Headers from) throws Malformed {
        Headers.Builder to = new Headers.Builder();
        for (Map.Entry<CharSequence, CharSequence> field : from) {
            String name = field.getKey().toString();
            if (name.startsWith(":") || !Trailers.allowed(name)) {
                throw new Malformed("a trailer names a field that may not be there");
            }
            to.add(token(name), value(field.getValue()));
        }
        return to.build();
    }

    private static String token(@Nullable CharSequence text) throws Malformed {
        for (int i = 0; text != null && i < text.length(); i++) {
            if (!Octets.isToken(text.charAt(i))) {
                throw new Malformed("a name is no token");
            }
        }
        return text == null ? "" : text.toString();
    }

    private static String visible(@Nullable CharSequence text) throws Malformed {
        for (int i = 0; text != null && i < text.length(); i++) {
            if (text.charAt(i) <= 0x20 || text.charAt(i) >= 0x7F) {
                throw new Malformed("a path holds what is not visible");
            }
        }
        return text == null ? "" : text.toString();
    }

    /** A value as it stands; a control character in it, or a space at either end, is an attack on the next hop. */
    private static String value(CharSequence text) throws Malformed {
        for (int i = 0; i < text.length(); i++) {
            if (!Octets.isFieldValue(text.charAt(i))) {
                throw new Malformed("a value holds a control character");
            }
        }
        String value = text.toString();
        if (value.strip().length() != value.length()) {
            throw new Malformed("a value starts or ends with a space");
        }
        return value;
    }

    /** @param length of the body; negative where it is not told */
    static Http2Headers response(
            int status, CorrId corrId, CharSequence date, Headers everywhere, Headers from, long length) {
        Http2Headers to = fields(status, from);
        if (status != HeadEncoder.NOT_MODIFIED) {
            copy(everywhere, to);
        }
        to.add(DATE, date);
        to.add(CORR_ID, corrId.toString());
        if (length >= 0) {
            to.add(LENGTH, Long.toString(length));
        }
        return to;
    }

    /** An interim answer. */
    static Http2Headers fields(int status, Headers from) {
        return copy(
                from,
                new DefaultHttp2Headers(false, from.size() + 4)
                        .status(HttpResponseStatus.valueOf(status).codeAsText()));
    }

    static Http2Headers trailers(Headers from) {
        return copy(from, new DefaultHttp2Headers(false, from.size()));
    }

    private static Http2Headers copy(Headers from, Http2Headers to) {
        for (int i = 0; i < from.size(); i++) {
            to.add(from.name(i).toLowerCase(Locale.ROOT), from.value(i));
        }
        return to;
    }
}
