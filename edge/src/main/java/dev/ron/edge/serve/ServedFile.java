package dev.ron.edge.serve;

import dev.ron.edge.cas.Blob;
import dev.ron.edge.pack.PackFile;
import dev.ron.http.message.Headers;
import dev.ron.kernel.time.Clock;
import io.netty.channel.DefaultFileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * An open file that answers are sent from, counted by them; it closes with the last.
 *
 * <p>It remembers which parts were read lately. Those are in the page cache, so an event loop may hand them to the
 * kernel without waiting for a disk. The channel it does that with is never read from by another thread: an interrupt
 * there could close it under the kernel's hands. Where there is no such channel, because the bytes are in memory or the
 * file was replaced by rename this instant, everything is read.
 */
public final class ServedFile extends AbstractReferenceCounted {
    static final int WINDOW = 1 << 20;
    /** What is said of a file that was not open before. */
    static final String OPENED = "edge; fwd=miss";

    private static final long WARM_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long CHECK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Entity entity;
    private final Headers hit;
    private final Source source;
    private final Optional<FileChannel> channel;
    private final AutoCloseable hold;
    private final Clock clock;
    private final AtomicLongArray readAt;
    private final AtomicLong checkedAt;

    /** Where the bytes come from. */
    @FunctionalInterface
    private interface Source {
        void read(long offset, ByteBuffer into);
    }

    /** @param hold is closed when nobody needs the file any more */
    ServedFile(Entity entity, PackFile file, AutoCloseable hold, Clock clock) {
        // The head first: what cannot be said leaves nothing open.
        this(entity, entity.whole(HotObject.HIT), file::read, file.openAgain(), hold, clock);
    }

    /** A blob of a store in memory: too large to be copied for each answer, it is sent piece by piece like a file. */
    ServedFile(Entity entity, Blob blob, Clock clock) {
        this(entity, entity.whole(HotObject.HIT), blob::read, Optional.empty(), blob, clock);
    }

    private ServedFile(
            Entity entity, Headers hit, Source source, Optional<FileChannel> channel, AutoCloseable hold, Clock clock) {
        this.entity = entity;
        this.hit = hit;
        this.source = source;
        this.channel = channel;
        this.hold = hold;
        this.clock = clock;
        long never = clock.nanos() - WARM_NANOS - 1;
        this.readAt = new AtomicLongArray((int) (entity.is().length() / WINDOW) + 1);
        for (int i = 0; i < readAt.length(); i++) {
            readAt.setPlain(i, never);
        }
        this.checkedAt = new AtomicLong(never);
    }

    Entity entity() {
        return entity;
    }

    /** The fields of a whole answer; those of a hit were written beforehand. */
    Headers whole(String cacheStatus) {
        return cacheStatus.equals(HotObject.HIT) ? hit : entity.whole(cacheStatus);
    }

    /**
     * Reads a piece, or just looks at the file where that is empty; on a pool. Throws when the file is no longer what was opened.
     *
     * @param fromStart whether this caller has read the window from its start
     */
    void read(long offset, ByteBuffer into, boolean fromStart) {
        long end = offset + into.remaining();
        source.read(offset, into);
        long now = clock.nanos();
        checkedAt.set(now);
        if (fromStart && (end % WINDOW == 0 || end == entity.is().length())) {
            readAt.set((int) ((end - 1) / WINDOW), now);
        }
    }

    /** It was written or read to its end this moment: all of it is in the page cache. */
    void readJustNow() {
        long now = clock.nanos();
        for (int i = 0; i < readAt.length(); i++) {
            readAt.set(i, now);
        }
        checkedAt.set(now);
    }

    /** What it takes to send a part. */
    enum State {
        /** A disk may be needed. */
        COLD,
        /** Its bytes are in memory, but the file was not looked at lately. */
        UNSEEN,
        /** The kernel can send it at once. */
        WARM
    }

    State state(long offset) {
        long now = clock.nanos();
        if (channel.isEmpty() || now - readAt.get((int) (offset / WINDOW)) >= WARM_NANOS) {
            return State.COLD;
        }
        return now - checkedAt.get() < CHECK_NANOS ? State.WARM : State.UNSEEN;
    }

    /** A part to be sent by the kernel; it holds the file until it is released. */
    DefaultFileRegion region(long offset, long length) {
        retain();
        return new DefaultFileRegion(channel.orElseThrow(), offset, length) {
            @Override
            protected void deallocate() {
                ServedFile.this.release(); // the channel is not the region's to close
            }
        };
    }

    @Override
    protected void deallocate() {
        try (hold) {
            if (channel.isPresent()) {
                channel.get().close();
            }
        } catch (Exception e) {
            throw new IllegalStateException("closing a file that was served", e);
        }
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}
