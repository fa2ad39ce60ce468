package dev.ron.edge.pack;

import dev.ron.http.decode.BodyDecoder;
import dev.ron.http.decode.ContentCoding;
import dev.ron.http.decode.DecodeFailure;
import dev.ron.http.decode.DecodeLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;

/** Undoes a coding under a bound on the result, so that a few stored bytes cannot fill the memory. */
public final class Unpacking {
    // What is decoded here ends as bytes on the heap, and what is outside of it belongs to answers.
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    private Unpacking() {}

    /** The plain bytes; a result beyond the bound or a broken stream is a {@link PackError} that names {@code what}. */
    public static byte[] unpack(Coding coding, byte[] stored, int maxBytes, String what) {
        if (!coding.isCompressed()) {
            if (stored.length > maxBytes) {
                throw new PackError(PackFault.TOO_LARGE, what + " has more than " + maxBytes + " bytes");
            }
            return stored;
        }
        // No bound on the ratio: directories and tiles of the sea compress a thousandfold, and rightly so.
        DecodeLimits limits = new DecodeLimits(maxBytes, Integer.MAX_VALUE, 0);
        try {
            ContentCoding how =
                    ContentCoding.of(List.of(coding.contentCoding())).orElseThrow();
            ByteBuf plain = BodyDecoder.decode(Unpooled.wrappedBuffer(stored), how, limits, HEAP);
            try {
                return ByteBufUtil.getBytes(plain);
            } finally {
                plain.release();
            }
        } catch (DecodeFailure e) {
            PackFault fault = e.kind() == DecodeFailure.Kind.CAP ? PackFault.TOO_LARGE : PackFault.BAD_CODING;
            throw new PackError(fault, what + " in " + coding.contentCoding() + ": " + e.detail());
        }
    }
}
