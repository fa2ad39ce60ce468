package dev.ron.edge.serve;

import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object in memory, ready to be sent: outside the heap, where the socket takes it from, with the head of its usual
 * answer written beforehand.
 *
 * <p>The cache holds one reference and each answer in progress one more. Whoever comes after the last was given back
 * finds the count at zero and takes the object for missing.
 */
public final class HotObject {
    static final String HIT = "edge; hit";
    private static final int OVERHEAD = 1024;
    private static final String IMMUTABLE = "public, max-age=31536000, immutable";

    private final Entity entity;
    private final ByteBuf body;
    private final boolean absent;
    private final Headers whole;
    private final Headers notModified;
    private @Nullable Headers pinned; // fields for a URL that names this version; racing writers write the same

    private HotObject(Entity entity, ByteBuf body, boolean absent, boolean says) {
        this.entity = entity;
        this.body = body;
        this.absent = absent;
        this.whole = entity.whole(says ? HIT : "");
        this.notModified = entity.notModified(says ? HIT : "");
    }

    /** Copies the bytes out of the heap. */
    static HotObject of(Entity entity, byte[] bytes, boolean says) {
        ByteBuf body = bytes.length == 0
                ? Unpooled.EMPTY_BUFFER
                : Unpooled.directBuffer(bytes.length, bytes.length).writeBytes(bytes);
        return new HotObject(entity, body, false, says);
    }

    /** Remembers that there is nothing. */
    static HotObject absent(Entity entity) {
        return new HotObject(entity, Unpooled.EMPTY_BUFFER, true, true);
    }

    Entity entity() {
        return entity;
    }

    boolean isAbsent() {
        return absent;
    }

    Headers whole() {
        return whole;
    }

    Headers notModified() {
        return notModified;
    }

    /** The fields of a 200 under a URL that names exactly these bytes. */
    Headers pinned() {
        Headers known = pinned;
        if (known == null) {
            known = entity.withCacheControl(IMMUTABLE).whole(HIT);
            pinned = known;
        }
        return known;
    }

    /** The bytes for one answer, to be released by it; nothing if the object was evicted this instant. */
    Optional<ByteBuf> bytes() {
        try {
            return Optional.of(body.retainedDuplicate());
        } catch (IllegalReferenceCountException _) {
            return Optional.empty();
        }
    }

    /** One more reference, for who has just made it: the cache may decline it at once. */
    HotObject hold() {
        body.retain();
        return this;
    }

    /** Gives a reference back. */
    void release() {
        body.release();
    }

    int weight() {
        return OVERHEAD + body.capacity();
    }
}
