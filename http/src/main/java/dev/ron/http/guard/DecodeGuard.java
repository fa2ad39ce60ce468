package dev.ron.http.guard;

import dev.ron.http.decode.BodyDecoder;
import dev.ron.http.decode.ContentCoding;
import dev.ron.http.decode.DecodeLimits;
import dev.ron.http.message.Headers;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Lane;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;

/**
 * Undoes the content coding of a whole body, off the event loop: 413 {@code decoded_ratio} or {@code decoded_cap} for one
 * that grows too much, 415 {@code encoding} for a coding that is not known.
 */
public final class DecodeGuard {
    private final Lane lane;
    private final DecodeLimits limits;

    public DecodeGuard(Lane lane, DecodeLimits limits) {
        this.lane = lane;
        this.limits = limits;
    }

    /** The coding of a body, known from its head; throws the refusal of one that cannot be undone. */
    public static Optional<ContentCoding> coding(Headers headers) {
        int at = headers.indexOf("Content-Encoding", 0);
        return at < 0 ? Optional.empty() : ContentCoding.of(headers.all("Content-Encoding"));
    }

    /** Starts decoding; the reply's listener runs on the lane's thread. */
    public Reply<byte[]> decode(byte[] body, ContentCoding coding, CallContext context) {
        try {
            return context.call(() -> lane.submit(() -> decodeAll(body, coding, context)));
        } catch (Exception e) {
            throw new IllegalStateException(e); // submit refuses through the reply
        }
    }

    private byte[] decodeAll(byte[] body, ContentCoding coding, CallContext context) {
        ByteBuf in = Unpooled.wrappedBuffer(body);
        ByteBuf out = Unpooled.buffer(Math.min(4 * body.length + 256, BodyDecoder.STEP_BYTES));
        try (BodyDecoder decoder = new BodyDecoder(coding, limits)) {
            while (decoder.step(in, true, out) != BodyDecoder.Progress.DONE) {
                if (context.deadline().expired()) {
                    throw new RonException(Code.TIMEOUT, "timeout", "no answer before the deadline");
                }
                out.ensureWritable(BodyDecoder.STEP_BYTES);
            }
            byte[] decoded = new byte[out.readableBytes()];
            out.readBytes(decoded);
            return decoded;
        }
    }
}
