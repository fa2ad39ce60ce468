package dev.ron.edge.mount;

import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackInfo;
import dev.ron.edge.range.EntityTag;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pack with the number of its users; the last one to leave closes it.
 *
 * <p>The count starts at one for the mount itself. Zero is final: who comes later is turned away and looks for the
 * successor. So no request meets a closed file, and a replaced pack goes with its last request.
 */
public final class SharedPack {
    private static final int VERSION_CHARS = 16;

    private final Pack pack;
    private final long generation;
    private final String version;
    private final AtomicInteger users = new AtomicInteger(1);

    SharedPack(Pack pack, long generation) {
        this.pack = pack;
        this.generation = generation;
        String tag = pack.tag().opaque();
        this.version = tag.substring(tag.indexOf(':') + 1).substring(0, VERSION_CHARS);
    }

    Pack pack() {
        return pack;
    }

    /** A number that no other mounted pack of this process ever had: what is remembered of a pack is kept under it. */
    public long generation() {
        return generation;
    }

    /** The part of a tile URL that names this version of the pack. */
    public String version() {
        return version;
    }

    /** What the pack says of itself; needs no lease. */
    public PackInfo info() {
        return pack.info();
    }

    /** The tag of the archive as one object; needs no lease. */
    public EntityTag tag() {
        return pack.tag();
    }

    /** The size of the archive; needs no lease. */
    public long size() {
        return pack.file().size();
    }

    /** When the archive was written; needs no lease. */
    public Instant modified() {
        return pack.file().identity().modified().toInstant();
    }

    /** A hold on it; nothing once it was replaced and its last user has left. */
    public Optional<Lease> lease() {
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
