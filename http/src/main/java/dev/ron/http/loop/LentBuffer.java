package dev.ron.http.loop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.nio.ByteBuffer;

/**
 * A buffer that an event loop lends again and again: what is read, parsed and answered at once needs no other.
 *
 * <p>Who has it releases it like any other. While somebody keeps it, the others get theirs from the allocator.
 */
public final class LentBuffer {
    private final ByteBuf buffer;

    public LentBuffer(int size) {
        this.buffer = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(size));
    }

    /** An empty buffer for at least this many bytes; on the loop only. */
    public ByteBuf take(int size, ByteBufAllocator otherwise) {
        boolean fits = size <= buffer.capacity() && buffer.refCnt() == 1;
        return fits ? buffer.clear().retain() : otherwise.directBuffer(size);
    }

    /** Has the channels of this loop read into it; those that send much grow out of it. */
    public RecvByteBufAllocator forReading() {
        return new Reading(this, new AdaptiveRecvByteBufAllocator());
    }

    private record Reading(LentBuffer lent, RecvByteBufAllocator sizes) implements RecvByteBufAllocator {
        @Override
        @SuppressWarnings("deprecation") // of the interface, in favour of what every channel here asks for
        public Handle newHandle() {
            return new Guess(lent, (ExtendedHandle) sizes.newHandle());
        }
    }

    private static final class Guess extends RecvByteBufAllocator.DelegatingHandle
            implements RecvByteBufAllocator.ExtendedHandle {
        private final LentBuffer lent;
        private final RecvByteBufAllocator.ExtendedHandle guess;

        Guess(LentBuffer lent, RecvByteBufAllocator.ExtendedHandle guess) {
            super(guess);
            this.lent = lent;
            this.guess = guess;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return lent.take(guess(), allocator);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return guess.continueReading(maybeMore);
        }
    }
}
