package dev.ron.http.decode;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import dev.ron.http.decode.DecodeFailure.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Brotli (RFC 7932) with a bounded window. */
final class BrotliCodec implements Codec {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final DecoderJNI.Wrapper decoder;
    private ByteBuffer pulled = NOTHING; // memory of the decoder, valid until the next call to it
    private boolean started;
    private boolean closed;

    BrotliCodec() {
        try {
            decoder = new DecoderJNI.Wrapper(BodyDecoder.SLICE_BYTES);
        } catch (IOException e) {
            throw new IllegalStateException("brotli decoder cannot be made", e);
        }
    }

    @Override
    public void feed(byte[] slice, int length) {
        if (complete()) {
            throw DecodeFailure.malformed("bytes after the end of the brotli stream");
        }
        if (!started && windowLog(slice[0]) > DecodeLimits.MAX_WINDOW_LOG) {
            throw new DecodeFailure(Kind.CAP, "brotli window beyond 8 MiB");
        }
        started = true;
        decoder.getInputBuffer().clear().put(slice, 0, length);
        decoder.push(length);
    }

    /** The window as the first byte of a stream says it (RFC 7932, section 9.1). */
    private static int windowLog(int first) {
        int high = first >> 1 & 7;
        if ((first & 1) == 0) {
            return 16;
        }
        if (high != 0) {
            return 17 + high;
        }
        int low = first >> 4 & 7;
        return low == 0 ? 17 : 8 + low;
    }

    @Override
    public int read(byte[] out, int length) {
        while (!pulled.hasRemaining()) {
            if (decoder.hasOutput()) {
                pulled = decoder.pull();
                continue;
            }
            switch (decoder.getStatus()) {
                case OK, NEEDS_MORE_OUTPUT -> decoder.push(0);
                case NEEDS_MORE_INPUT, DONE -> {
                    return 0;
                }
                case ERROR -> throw DecodeFailure.malformed("not a brotli stream, or bytes after its end");
            }
        }
        int n = Math.min(length, pulled.remaining());
        pulled.get(out, 0, n);
        return n;
    }

    @Override
    public boolean complete() {
        return decoder.getStatus() == DecoderJNI.Status.DONE && !decoder.hasOutput() && !pulled.hasRemaining();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            pulled = NOTHING;
            decoder.destroy();
        }
    }
}
