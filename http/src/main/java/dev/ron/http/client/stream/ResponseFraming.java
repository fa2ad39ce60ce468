package dev.ron.http.client.stream;

import dev.ron.http.message.Chunks;
import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Finds the end of one response body and cuts it into pieces of at most 64 KiB. */
final class ResponseFraming {
    private static final int MAX_LENGTH_DIGITS = 18;

    private enum End {
        LENGTH,
        CHUNKS,
        CLOSE,
        REACHED
    }

    private final ResponseHeadParser parser;
    private final @Nullable Chunks chunks;
    private final long declared;
    private End end;
    private Headers trailers = Headers.NONE;
    private long left; // where the length is known

    /** Settles how the body of this response ends, or refuses it: one length or one coding, never both. */
    ResponseFraming(ResponseHeadParser parser, int status, boolean http10, Headers headers, boolean toHead) {
        this.parser = parser;
        int coding = headers.indexOf("Transfer-Encoding", 0);
        int length = headers.indexOf("Content-Length", 0);
        if (coding >= 0) {
            BadResponse.unless(length < 0, "both a length and a transfer coding");
            boolean one = headers.indexOf("Transfer-Encoding", coding + 1) < 0
                    && headers.value(coding).equalsIgnoreCase("chunked");
            BadResponse.unless(one && !http10, "a transfer coding other than chunked");
        }
        BadResponse.unless(length < 0 || headers.indexOf("Content-Length", length + 1) < 0, "two lengths");
        declared = length < 0 ? ResponseHead.UNKNOWN : number(headers.value(length));
        boolean bodyless = toHead || status == 204 || status == 304;
        left = declared;
        chunks = coding < 0 || bodyless ? null : new Chunks(() -> new BadResponse("a malformed chunk"));
        if (bodyless || (coding < 0 && declared == 0)) {
            end = End.REACHED;
        } else if (chunks != null) {
            end = End.CHUNKS;
        } else {
            end = declared < 0 ? End.CLOSE : End.LENGTH;
        }
    }

    private static long number(String digits) {
        BadResponse.unless(!digits.isEmpty() && digits.length() <= MAX_LENGTH_DIGITS, "a length that is no number");
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            BadResponse.unless(digit >= 0 && digit <= 9, "a length that is no number");
            value = 10 * value + digit;
        }
        return value;
    }

    long declared() {
        return declared;
    }

    /** What followed the last chunk; empty until then. */
    Headers trailers() {
        return trailers;
    }

    boolean done() {
        return end == End.REACHED;
    }

    boolean untilClose() {
        return end == End.CLOSE;
    }

    /** The next piece, to be released by the caller; null when more bytes are needed or the body is over. */
    @Nullable
    ByteBuf next(ByteBuf in) {
        if (!in.isReadable()) {
            return null;
        }
        return switch (end) {
            case LENGTH -> plain(in);
            case CHUNKS -> chunks == null ? null : chunk(chunks, in);
            case CLOSE -> in.readRetainedSlice(Math.min(in.readableBytes(), Chunks.MAX_PIECE));
            case REACHED -> null;
        };
    }

    private ByteBuf plain(ByteBuf in) {
        int size = (int) Math.min(left, Math.min(in.readableBytes(), Chunks.MAX_PIECE));
        left -= size;
        if (left == 0) {
            end = End.REACHED;
        }
        return in.readRetainedSlice(size);
    }

    private @Nullable ByteBuf chunk(Chunks body, ByteBuf in) {
        ByteBuf piece = body.next(in);
        if (piece == null && body.atTrailer() && in.isReadable() && parser.parseTrailer(in)) {
            trailers = parser.headers();
            end = End.REACHED;
        }
        return piece;
    }
}
