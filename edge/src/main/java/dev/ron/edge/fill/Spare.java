package dev.ron.edge.fill;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds what bodies that are not kept take on the heap while they come in, all together. */
final class Spare {
    private static final long LEAST = 32 << 20; // one of 8 MiB without a length takes 24 while it grows

    private final long most;
    private final AtomicLong held = new AtomicLong();

    /** @param heap an eighth of it is for this */
    Spare(long heap) {
        most = Math.max(LEAST, heap / 8);
    }

    Share share() {
        return new Share();
    }

    /** What one fill has taken; one thread. */
    final class Share implements AutoCloseable {
        private long taken;

        byte[] array(int bytes) {
            if (held.addAndGet(bytes) > most) {
                held.addAndGet(-bytes);
                throw new RonException(
                        Code.BUSY,
                        "busy",
                        "objects that are not kept take all the memory there is for them",
                        Duration.ofSeconds(1),
                        null);
            }
            taken += bytes;
            return new byte[bytes];
        }

        /** Gives back what an attempt took that brought nothing. */
        void clear() {
            held.addAndGet(-taken);
            taken = 0;
        }

        @Override
        public void close() {
            clear();
        }
    }
}
