package dev.ron.http.server;

import dev.ron.http.message.Chunks;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Trailers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Cuts one request body out of the bytes of a connection, in pieces of at most 64 KiB. */
final class BodyFraming {
    private static final Refusal CHUNK = Refusal.framing("a chunk is malformed");
    private static final Refusal TRAILER = Refusal.framing("a trailer names a field that may not be there");

    private final HeadParser parser;
    private final @Nullable Chunks chunks;
    private boolean done;
    private long left; // where the length is known
    private long delivered;
    private Headers trailers = Headers.NONE;

    BodyFraming(HeadParser parser, long length) {
        this.parser = parser;
        boolean chunked = length == ParsedHead.CHUNKED;
        this.chunks = chunked ? new Chunks(CHUNK::exception) : null;
        this.left = chunked ? 0 : length;
        this.done = !chunked && length == 0;
    }

    boolean done() {
        return done;
    }

    /** The bytes still to come; unknown, so endless, when chunked. */
    long remaining() {
        return done ? 0 : chunks == null ? left : Long.MAX_VALUE;
    }

    /** Body bytes given out so far. */
    long delivered() {
        return delivered;
    }

    /** The next piece, to be released by the caller; null when more bytes are needed or the body is over. */
    @Nullable
    ByteBuf next(ByteBuf in) {
        if (done || !in.isReadable()) {
            return null;
        }
        ByteBuf piece = chunks == null ? plain(in) : chunks.next(in);
        if (piece != null) {
            delivered += piece.readableBytes();
        } else if (chunks != null && chunks.atTrailer() && in.isReadable()) {
            trailer(in);
        }
        return piece;
    }

    private ByteBuf plain(ByteBuf in) {
        int size = (int) Math.min(left, Math.min(in.readableBytes(), Chunks.MAX_PIECE));
        left -= size;
        done = left == 0;
        return in.readRetainedSlice(size);
    }

    private void trailer(ByteBuf in) {
        if (parser.parseTrailer(in) != HeadParser.Outcome.INCOMPLETE) {
            in.skipBytes(parser.consumed());
            trailers = parser.headers();
            checkTrailer(trailers);
            done = true;
        }
    }

    /** What followed the last chunk; empty until then. */
    Headers trailers() {
        return trailers;
    }

    private static void checkTrailer(Headers trailer) {
        for (int i = 0; i < trailer.size(); i++) {
            if (!Trailers.allowed(trailer.name(i))) {
                throw TRAILER.exception();
            }
        }
    }
}
