package dev.ron.http.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Fails a class whose tests let a Netty buffer be collected without release: {@code @ExtendWith(NoBufferLeaks.class)}.
 *
 * <p>Netty only logs a leak, and only when it tracks the next buffer after a collection. So: collect, wait until
 * references have been processed, track new buffers, read the log. Once for each class: a collection after every test would
 * take longer than the tests, and what Netty says of a leak names where the buffer was last touched.
 */
public final class NoBufferLeaks implements BeforeAllCallback, AfterAllCallback {
    private static final int ROUNDS = 2;
    private static final long QUEUE_WAIT_MILLIS = 10_000;

    private final ListAppender<ILoggingEvent> seen = new ListAppender<>();

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    void start() {
        if (ResourceLeakDetector.getLevel() != ResourceLeakDetector.Level.PARANOID) {
            throw new IllegalStateException("run with -Dio.netty.leakDetectionLevel=paranoid");
        }
        seen.list.clear();
        seen.start();
        leakLog().addAppender(seen);
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        check();
    }

    void check() throws InterruptedException {
        try {
            List<String> leaks = leaks();
            if (!leaks.isEmpty()) {
                throw new AssertionError("buffers were collected without release:\n" + String.join("\n", leaks));
            }
        } finally {
            leakLog().detachAppender(seen);
        }
    }

    private List<String> leaks() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            collect();
            track(PooledByteBufAllocator.DEFAULT);
            track(UnpooledByteBufAllocator.DEFAULT);
        }
        return seen.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static void collect() throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> canary = new PhantomReference<>(new Object(), queue);
        System.gc();
        if (!canary.equals(queue.remove(QUEUE_WAIT_MILLIS))) {
            throw new IllegalStateException("no collection happened; is -XX:+DisableExplicitGC set?");
        }
    }

    private static void track(ByteBufAllocator allocator) {
        for (int i = 0; i < 4; i++) {
            allocator.directBuffer(16).release();
        }
    }

    private static Logger leakLog() {
        return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    }
}
