package dev.ron.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import org.junit.jupiter.api.Test;

class LentBufferTest {
    private final ByteBufAllocator others = UnpooledByteBufAllocator.DEFAULT;
    private final LentBuffer lent = new LentBuffer(64);

    @Test
    void whoGivesItBackLeavesItToTheNextOneEmpty() {
        ByteBuf first = lent.take(10, others).writeInt(7);
        first.release();
        ByteBuf second = lent.take(64, others);
        assertThat(second).isSameAs(first);
        assertThat(second.isReadable()).isFalse();
        assertThat(second.writableBytes()).isEqualTo(64);
        second.release();
    }

    @Test
    void whoKeepsAPieceOfItKeepsItAlone() {
        ByteBuf first = lent.take(10, others).writeInt(7);
        ByteBuf kept = first.readRetainedSlice(4);
        first.release();
        ByteBuf second = lent.take(10, others).writeInt(8);
        assertThat(second).isNotSameAs(first);
        assertThat(kept.readInt()).isEqualTo(7);
        kept.release();
        second.release();
        ByteBuf third = lent.take(10, others);
        assertThat(third).isSameAs(first);
        third.release();
    }

    @Test
    void moreThanItHoldsComesFromTheAllocator() {
        ByteBuf large = lent.take(65, others);
        assertThat(large.writableBytes()).isGreaterThanOrEqualTo(65);
        large.release();
    }

    @Test
    @SuppressWarnings("deprecation") // newHandle is what a channel calls
    void aChannelThatReadsMuchGrowsOutOfIt() {
        RecvByteBufAllocator.Handle handle =
                new LentBuffer(2 << 10).forReading().newHandle();
        ByteBuf small = handle.allocate(others);
        assertThat(small.capacity()).isEqualTo(2 << 10);
        small.release();
        for (int i = 0; i < 20; i++) {
            handle.attemptedBytesRead(64 << 10);
            handle.lastBytesRead(64 << 10);
            handle.readComplete();
        }
        ByteBuf large = handle.allocate(others);
        assertThat(large.capacity()).isGreaterThan(16 << 10);
        large.release();
    }
}
