package dev.ron.http.server;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Octets;
import dev.ron.http.message.Trailers;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Cuts one request body out of the bytes of a connection, in pieces of at most 64 KiB. */
final class BodyFraming {
    static final int MAX_PIECE = 64 << 10;

    private static final int MAX_SIZE_DIGITS = 8;
    private static final int MAX_EXTENSION = 256;
    private static final Refusal CHUNK = Refusal.framing("a chunk is malformed");
    private static final Refusal TRAILER = Refusal.framing("a trailer names a field that may not be there");

    private enum Step {
        SIZE,
        EXTENSION,
        SIZE_END,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER,
        DONE
    }

    private final HeadParser parser;
    private final boolean chunked;
    private Step step;
    private long left; // of the body, or of the chunk in hand
    private int count; // digits of the size, or bytes of its extension
    private long delivered;
    private Headers trailers = Headers.NONE;

    BodyFraming(HeadParser parser, long length) {
        this.parser = parser;
        this.chunked = length == ParsedHead.CHUNKED;
        this.left = chunked ? 0 : length;
        this.step = chunked ? Step.SIZE : length == 0 ? Step.DONE : Step.DATA;
    }

    boolean done() {
        return step == Step.DONE;
    }

    /** The bytes still to come; unknown, so endless, when chunked. */
    long remaining() {
        return done() ? 0 : chunked ? Long.MAX_VALUE : left;
    }

    /** Body bytes given out so far. */
    long delivered() {
        return delivered;
    }

    /** The next piece, to be released by the caller; null when more bytes are needed or the body is over. */
    @Nullable
    ByteBuf next(ByteBuf in) {
        while (step != Step.DONE && in.isReadable()) {
            switch (step) {
                case DATA -> {
                    return data(in);
                }
                case TRAILER -> {
                    if (parser.parseTrailer(in) == HeadParser.Outcome.INCOMPLETE) {
                        return null;
                    }
                    in.skipBytes(parser.consumed());
                    trailers = parser.headers();
                    checkTrailer(trailers);
                    step = Step.DONE;
                }
                default -> chunkByte(in.readByte());
            }
        }
        return null;
    }

    private ByteBuf data(ByteBuf in) {
        int size = (int) Math.min(left, Math.min(in.readableBytes(), MAX_PIECE));
        left -= size;
        delivered += size;
        if (left == 0) {
            step = chunked ? Step.DATA_CR : Step.DONE;
        }
        return in.readRetainedSlice(size);
    }

    private void chunkByte(byte c) {
        switch (step) {
            case SIZE -> sizeByte(c);
            case EXTENSION -> {
                if (c == '\r') {
                    step = Step.SIZE_END;
                } else {
                    require(Octets.isFieldValue(c) && ++count <= MAX_EXTENSION);
                }
            }
            case SIZE_END -> {
                require(c == '\n');
                step = left == 0 ? Step.TRAILER : Step.DATA;
            }
            case DATA_CR -> {
                require(c == '\r');
                step = Step.DATA_LF;
            }
            case DATA_LF -> {
                require(c == '\n');
                step = Step.SIZE;
                count = 0;
            }
            default -> throw new IllegalStateException(step.name());
        }
    }

    private void sizeByte(byte c) {
        int digit = c < 0 ? -1 : Character.digit(c, 16);
        if (digit >= 0) {
            require(++count <= MAX_SIZE_DIGITS);
            left = left << 4 | digit;
            return;
        }
        require(count > 0 && (c == '\r' || c == ';'));
        step = c == '\r' ? Step.SIZE_END : Step.EXTENSION;
        count = 0;
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

    private static void require(boolean good) {
        if (!good) {
            throw CHUNK.exception();
        }
    }
}
