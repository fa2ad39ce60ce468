package dev.ron.http.tls;

import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The TLS contexts in use; others can take their place at any time.
 *
 * <p>BoringSSL's contexts are counted native memory. A user holds it only while a handler is made (the handler's engine
 * then holds it by itself); one that was swapped out between reading and holding is simply read again.
 */
final class SwappableContext<T> implements AutoCloseable {
    private final AtomicReference<@Nullable T> current; // null once closed

    SwappableContext(T first) {
        current = new AtomicReference<>(first);
    }

    <R> R use(Function<T, R> user) {
        while (true) {
            T context = current.get();
            if (context == null) {
                throw new IllegalStateException("TLS was closed");
            }
            if (!hold(context)) {
                continue;
            }
            try {
                return user.apply(context);
            } finally {
                ReferenceCountUtil.release(context);
            }
        }
    }

    private static boolean hold(Object context) {
        try {
            if (context instanceof ReferenceCounted counted) {
                counted.retain();
            }
            return true;
        } catch (IllegalReferenceCountException e) {
            return false;
        }
    }

    void swap(T next) {
        T old = current.getAndUpdate(context -> context == null ? null : next);
        ReferenceCountUtil.release(old == null ? next : old);
    }

    /** No handler is made after this. */
    @Override
    public void close() {
        T last = current.getAndSet(null);
        if (last != null) {
            ReferenceCountUtil.release(last);
        }
    }
}
