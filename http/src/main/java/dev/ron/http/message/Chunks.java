package dev.ron.http.message;

import io.netty.buffer.ByteBuf;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the data out of a chunked body (RFC 9112, section 7.1) in pieces of at most 64 KiB, as strictly as it is written.
 *
 * <p>Requests and responses are read by the same rules: what one side takes for the end of a body, so does the other. The
 * trailer behind the last chunk is a block of fields, and left to whoever reads heads.
 */
public final class Chunks {
    /** The largest piece of a body that is handed on at once. */
    public static final int MAX_PIECE = 64 << 10;

    private static final int MAX_SIZE_DIGITS = 8;
    private static final int MAX_EXTENSION = 256;

    private enum Step {
        SIZE,
        EXTENSION,
        SIZE_END,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER
    }

    private final Supplier<? extends RuntimeException> malformed;
    private Step step = Step.SIZE;
    private long left; // of the chunk in hand
    private int count; // digits of its size, or bytes of its extension

    /** @param malformed makes what is thrown where the rules are broken */
    public Chunks(Supplier<? extends RuntimeException> malformed) {
        this.malformed = malformed;
    }

    /** True once the last chunk has been read; what follows is the trailer. */
    public boolean atTrailer() {
        return step == Step.TRAILER;
    }

    /** The next piece, to be released by the caller; null when more bytes are needed or the trailer is next. */
    public @Nullable ByteBuf next(ByteBuf in) {
        while (step != Step.TRAILER && in.isReadable()) {
            if (step == Step.DATA) {
                return data(in);
            }
            take(in.readByte());
        }
        return null;
    }

    private ByteBuf data(ByteBuf in) {
        int size = (int) Math.min(left, Math.min(in.readableBytes(), MAX_PIECE));
        left -= size;
        if (left == 0) {
            step = Step.DATA_CR;
        }
        return in.readRetainedSlice(size);
    }

    private void take(byte c) {
        switch (step) {
            case SIZE -> takeSize(c);
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
            case DATA, TRAILER -> throw new IllegalStateException(step.name());
        }
    }

    private void takeSize(byte c) {
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

    private void require(boolean good) {
        if (!good) {
            throw malformed.get();
        }
    }
}
