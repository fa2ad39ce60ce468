package dev.ron.http.decode;

import dev.ron.http.decode.DecodeFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Undoes one content coding in steps of at most 64 KiB of output, and stops a body that grows too much.
 *
 * <p>Not for an event loop: a step may take a millisecond. Not for two threads at once; it may move between threads from
 * step to step. Input is worked off in slices at fixed offsets of the body, and growth is judged against whole slices. So
 * the verdict, and its reason, depend on the body alone, never on how the network cut it. Besides the output a decoder
 * holds under 128 KiB; brotli and zstd hold their window on top, at most 8 MiB.
 */
public final class BodyDecoder implements AutoCloseable {
    /** The most output of one step. */
    public static final int STEP_BYTES = 64 * 1024;

    static final int SLICE_BYTES = 4096;
    private static final int STAGE_BYTES = 16 * 1024;

    private final Codec codec;
    private final DecodeLimits limits;
    private final byte[] slice = new byte[SLICE_BYTES];
    private final byte[] stage = new byte[STAGE_BYTES];
    private int filled; // bytes gathered for the next slice
    private boolean draining; // a slice was fed and not yet read out
    private long in; // bytes fed to the codec
    private long out;

    /** What a step left to do. */
    public enum Progress {
        /** All input was used; call again with more. */
        NEEDS_INPUT,
        /** There is more output; call again, with room for it. */
        HAS_OUTPUT,
        /** The body was whole and all of it has come out. */
        DONE
    }

    public BodyDecoder(ContentCoding coding, DecodeLimits limits) {
        this.codec = coding.open();
        this.limits = limits;
    }

    /**
     * Takes from {@code input} what it can and appends to {@code output} at most what fits in it and at most 64 KiB.
     *
     * @param last true if nothing comes after {@code input}
     * @throws DecodeFailure if the body is refused; only {@link #close} is left then
     */
    public Progress step(ByteBuf input, boolean last, ByteBuf output) {
        int room = Math.min(STEP_BYTES, output.writableBytes());
        while (true) {
            while (draining) {
                if (room == 0) {
                    return Progress.HAS_OUTPUT;
                }
                int n = codec.read(stage, Math.min(room, STAGE_BYTES));
                draining = n > 0;
                room -= n;
                out += n;
                judge();
                output.writeBytes(stage, 0, n);
            }
            int taken = Math.min(input.readableBytes(), SLICE_BYTES - filled);
            input.readBytes(slice, filled, taken);
            filled += taken;
            boolean whole = last && !input.isReadable();
            if (filled == SLICE_BYTES || (whole && filled > 0)) {
                in += filled;
                codec.feed(slice, filled);
                filled = 0;
                draining = true;
            } else if (whole) {
                return end();
            } else {
                return Progress.NEEDS_INPUT;
            }
        }
    }

    // The tighter of the two limits gives the reason, whatever the size of the piece that passed it.
    private void judge() {
        long byRatio = Math.max(limits.freeBytes(), in * limits.maxRatio());
        if (out > Math.min(byRatio, limits.maxBytes())) {
            throw limits.maxBytes() <= byRatio
                    ? new DecodeFailure(Kind.CAP, "decodes to more than " + limits.maxBytes() + " bytes")
                    : new DecodeFailure(Kind.RATIO, "decodes to more than " + limits.maxRatio() + " times its size");
        }
    }

    private Progress end() {
        if (!codec.complete()) {
            throw DecodeFailure.malformed("coded body ends too early");
        }
        return Progress.DONE;
    }

    /** Decodes a body that is all there, as one job; the result is the caller's to release. */
    public static ByteBuf decode(ByteBuf body, ContentCoding coding, DecodeLimits limits, ByteBufAllocator allocator) {
        ByteBuf result = allocator.buffer(Math.min(4 * body.readableBytes() + 256, STEP_BYTES));
        try (BodyDecoder decoder = new BodyDecoder(coding, limits)) {
            while (decoder.step(body, true, result) != Progress.DONE) {
                result.ensureWritable(STAGE_BYTES);
            }
            return result;
        } catch (RuntimeException e) {
            result.release();
            throw e;
        }
    }

    /** Frees the native memory; safe to call again. */
    @Override
    public void close() {
        codec.close();
    }
}
