package dev.ron.http.client.stream;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Octets;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Finds the end of one response body and cuts it into pieces of at most 64 KiB. */
final class ResponseFraming {
    private static final int MAX_PIECE = 64 << 10;
    private static final int MAX_SIZE_DIGITS = 8;
    private static final int MAX_EXTENSION = 256;
    private static final int MAX_LENGTH_DIGITS = 18;

    private enum Step {
        SIZE,
        EXTENSION,
        SIZE_END,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER,
        UNTIL_CLOSE,
        DONE
    }

    private final ResponseHeadParser parser;
    private final boolean chunked;
    private final long declared;
    private Step step;
    private Headers trailers = Headers.NONE;
    private long left;
    private int count; // digits of a size, or bytes of its extension

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
        chunked = coding >= 0 && !bodyless;
        left = bodyless || chunked || declared < 0 ? 0 : declared;
        if (chunked) {
            step = Step.SIZE;
        } else if (bodyless || declared == 0) {
            step = Step.DONE;
        } else {
            step = declared < 0 ? Step.UNTIL_CLOSE : Step.DATA;
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
        return step == Step.DONE;
    }

    boolean untilClose() {
        return step == Step.UNTIL_CLOSE;
    }

    /** The next piece, to be released by the caller; null when more bytes are needed or the body is over. */
    @Nullable
    ByteBuf next(ByteBuf in) {
        while (step != Step.DONE && in.isReadable()) {
            switch (step) {
                case DATA -> {
                    return data(in);
                }
                case UNTIL_CLOSE -> {
                    return in.readRetainedSlice(Math.min(in.readableBytes(), MAX_PIECE));
                }
                case TRAILER -> {
                    if (!parser.parseTrailer(in)) {
                        return null;
                    }
                    trailers = parser.headers();
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
                    chunk(Octets.isFieldValue(c) && ++count <= MAX_EXTENSION);
                }
            }
            case SIZE_END -> {
                chunk(c == '\n');
                step = left == 0 ? Step.TRAILER : Step.DATA;
            }
            case DATA_CR -> {
                chunk(c == '\r');
                step = Step.DATA_LF;
            }
            case DATA_LF -> {
                chunk(c == '\n');
                step = Step.SIZE;
                count = 0;
            }
            default -> throw new IllegalStateException(step.name());
        }
    }

    private void sizeByte(byte c) {
        int digit = c < 0 ? -1 : Character.digit(c, 16);
        if (digit >= 0) {
            chunk(++count <= MAX_SIZE_DIGITS);
            left = left << 4 | digit;
            return;
        }
        chunk(count > 0 && (c == '\r' || c == ';'));
        step = c == '\r' ? Step.SIZE_END : Step.EXTENSION;
        count = 0;
    }

    private static void chunk(boolean good) {
        BadResponse.unless(good, "a malformed chunk");
    }
}
