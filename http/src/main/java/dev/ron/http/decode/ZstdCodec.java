package dev.ron.http.decode;

import com.github.luben.zstd.ZstdBufferDecompressingStreamNoFinalizer;
import com.github.luben.zstd.ZstdIOException;
import dev.ron.http.decode.DecodeFailure.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Zstandard (RFC 8878), any number of frames, with a bounded window. */
final class ZstdCodec implements Codec {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final long WINDOW_TOO_LARGE = 16;

    private Frames frames = new Frames();
    private boolean fed;

    /** The library's stream, whose input can be replaced; once it ends between two frames it stays ended. */
    private static final class Frames extends ZstdBufferDecompressingStreamNoFinalizer {
        Frames() {
            super(NOTHING);
            try {
                setLongMax(DecodeLimits.MAX_WINDOW_LOG);
            } catch (IOException e) {
                throw new IllegalStateException("zstd library refuses a window limit", e);
            }
        }

        void input(byte[] slice, int length) {
            source = ByteBuffer.wrap(slice, 0, length);
        }

        boolean inputLeft() {
            return source.hasRemaining();
        }
    }

    @Override
    public void feed(byte[] slice, int length) {
        if (complete()) {
            frames.close();
            frames = new Frames();
        }
        frames.input(slice, length);
        fed = true;
    }

    @Override
    public int read(byte[] out, int length) {
        try {
            // A call may eat input and give nothing, at a frame's edge for example: only an empty input means "feed
            // me".
            while (true) {
                boolean inputBefore = frames.inputLeft();
                int n = frames.read(ByteBuffer.wrap(out, 0, length));
                if (n > 0 || !inputBefore || complete()) {
                    return n;
                }
            }
        } catch (ZstdIOException e) {
            if (e.getErrorCode() == WINDOW_TOO_LARGE) {
                throw new DecodeFailure(Kind.CAP, "zstd window beyond 8 MiB");
            }
            throw DecodeFailure.malformed("not a zstd stream, or bytes after its end");
        } catch (IOException e) {
            throw DecodeFailure.malformed("zstd data is damaged");
        }
    }

    @Override
    public boolean complete() {
        return fed && !frames.hasRemaining();
    }

    @Override
    public void close() {
        frames.close();
    }
}
