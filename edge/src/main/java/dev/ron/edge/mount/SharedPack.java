package dev.ron.edge.mount;

import dev.ron.edge.pack.Pack;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pack with the number of its users; the last one to leave closes it.
 *
 * <p>The count starts at one for the mount itself. Zero is final: who comes later is turned away and looks for the
 * successor. So no request meets a closed file, and a replaced pack goes with its last request.
 */
final class SharedPack {
    private final Pack pack;
    private final AtomicInteger users = new AtomicInteger(1);

    SharedPack(Pack pack) {
        this.pack = pack;
    }

    Pack pack() {
        return pack;
    }

    Optional<Lease> lease() {
        int now = users.get();
        while (now > 0) {
            if (users.compareAndSet(now, now + 1)) {
                return Optional.of(new Lease(this));
            }
            now = users.get();
        }
        return Optional.empty();
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            pack.close();
        }
    }
}
