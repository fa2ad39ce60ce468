package dev.ron.edge.serve;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.nio.charset.StandardCharsets;
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
    private static final byte[] NOTHING = new byte[0];
    private static final byte[] ANY = {'*'};
    private static final int OVERHEAD = 1024;
    private static final String IMMUTABLE = "public, max-age=31536000, immutable";

    private final Entity entity;
    private final ByteBuf body;
    private final boolean absent;
    private final String status;
    private final byte[] tag;
    private final Heads heads;
    private @Nullable Heads pinned; // for a URL that names this version; racing writers write the same

    /** What is said of the object, with the answers that are given most. */
    record Heads(Entity entity, Headers whole, Response notModified) {
        static Heads of(Entity entity, String status) {
            return new Heads(entity, entity.whole(status), Response.of(304, entity.notModified(status), NOTHING));
        }
    }

    private HotObject(Heads heads, ByteBuf body, boolean absent, String status) {
        this.entity = heads.entity();
        this.body = body;
        this.absent = absent;
        this.status = status;
        this.tag = entity.is().tag().toString().getBytes(StandardCharsets.ISO_8859_1);
        this.heads = heads;
    }

    /** Copies the bytes out of the heap, into the room for them; refuses where there is none. */
    static HotObject of(Entity entity, byte[] bytes, boolean says, Room room) {
        String status = says ? HIT : "";
        Heads heads = Heads.of(entity, status); // before room is taken: what cannot be said keeps none
        return new HotObject(heads, room.copy(bytes), false, status);
    }

    /** Remembers that there is nothing. */
    static HotObject absent(Entity entity) {
        return new HotObject(Heads.of(entity, HIT), Unpooled.EMPTY_BUFFER, true, HIT);
    }

    boolean isAbsent() {
        return absent;
    }

    Heads heads() {
        return heads;
    }

    /** Whether a field's value is exactly this object's tag, or a star. */
    boolean isTagged(Headers headers, int field) {
        return headers.valueIs(field, tag) || headers.valueIs(field, ANY);
    }

    /** The same under a URL that names exactly these bytes. */
    Heads pinned() {
        Heads known = pinned;
        if (known == null) {
            known = Heads.of(entity.withCacheControl(IMMUTABLE), status);
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
