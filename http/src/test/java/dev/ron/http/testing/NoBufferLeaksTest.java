package dev.ron.http.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class NoBufferLeaksTest {
    private final NoBufferLeaks watch = new NoBufferLeaks();

    @Test
    void aForgottenBufferFailsTheTest() {
        watch.start();
        forget();
        assertThatThrownBy(watch::check).isInstanceOf(AssertionError.class).hasMessageContaining("LEAK");
    }

    private static void forget() {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(64);
        buffer.writeLong(1);
    }

    @Test
    void releasedBuffersPass() throws InterruptedException {
        watch.start();
        PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
        watch.check();
    }
}
