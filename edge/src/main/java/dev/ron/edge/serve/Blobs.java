package dev.ron.edge.serve;

import dev.ron.edge.cas.Blob;
import dev.ron.edge.cas.Cas;
import dev.ron.edge.digest.Digest;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** {@code /cas/b3/{digest}}: what the store holds, under a name that can only ever mean these bytes. */
public final class Blobs implements StreamHandler {
    private static final String IMMUTABLE = "public, max-age=31536000, immutable";

    private final Cas cas;
    private final FolderFiles.Parts parts;
    private final Cold checking;

    private record BlobKey(Digest digest) {}

    /** @param checking where a large blob is hashed that nobody has vouched for since the start: it takes seconds */
    public Blobs(Cas cas, FolderFiles.Parts parts, Cold checking) {
        this.cas = cas;
        this.parts = parts;
        this.checking = checking;
    }

    @Override
    public void handle(Exchange exchange) {
        Digest digest = Digest.parse(exchange.params().get("digest"))
                .orElseThrow(() -> new RonException(
                        Code.BAD_REQUEST, "bad_request", "the digest (expected: 64 lower-case hexadecimal digits)"));
        BlobKey key = new BlobKey(digest);
        HotObject hot = parts.cache().get(key);
        if (hot != null && parts.sender().hot(exchange, hot, false)) {
            touch(digest);
            parts.served().ram();
            return;
        }
        Optional<ServedFile> open = parts.open().get(key);
        if (open.isPresent()) {
            touch(digest);
            send(exchange, open.get(), HotObject.HIT);
            return;
        }
        cold(digest)
                .run(
                        exchange,
                        () -> load(key, digest, entity(digest)),
                        loaded -> answer(exchange, loaded),
                        Loaded::release);
    }

    /** The way to {@link #load} a blob. */
    Cold cold(Digest digest) {
        return cas.isUnread(digest) ? checking : parts.cold();
    }

    private void answer(Exchange exchange, Loaded loaded) {
        switch (loaded) {
            case Loaded.Hot hot -> {
                parts.served().cas();
                parts.sender().fresh(exchange, hot.object(), hot.status(), Headers.NONE);
                hot.release();
            }
            case Loaded.File large -> send(exchange, large.file(), large.status());
            case Loaded.None _ ->
                exchange.fail(new RonException(Code.NOT_FOUND, "not_found", "the store has no object of this digest"));
        }
    }

    private void send(Exchange exchange, ServedFile file, String status) {
        parts.served().cas();
        parts.sender().file(exchange, file, status, Headers.NONE, _ -> {});
    }

    private static Sized entity(Digest digest) {
        return length -> new Entity(
                "application/octet-stream",
                "",
                false,
                new Representation(length, EntityTag.ofContent(digest), Optional.empty()),
                IMMUTABLE);
    }

    /** An entity but for its length. */
    @FunctionalInterface
    interface Sized {
        Entity of(long length);
    }

    /** What is served from memory or from a file that is open is in use too: the store must not take it for old. */
    void touch(Digest digest) {
        cas.touch(digest);
    }

    /** On the pool: opens a blob, whose bytes the store vouches for, into memory or as a file. */
    Loaded load(Object key, Digest digest, Sized entity) {
        Blob blob = cas.open(digest).orElse(null);
        if (blob == null) {
            return new Loaded.None();
        }
        boolean passedOn = false;
        try {
            if (blob.size() > parts.maxCached()) {
                Loaded large = large(key, blob, entity.of(blob.size()));
                passedOn = true;
                return large;
            }
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(blob.size()));
            blob.read(0, bytes);
            HotObject object = HotObject.of(
                    entity.of(blob.size()), bytes.array(), parts.sender().says(), parts.room());
            parts.cache().put(key, object.hold());
            return new Loaded.Hot(object, false);
        } finally {
            if (!passedOn) {
                blob.close();
            }
        }
    }

    private Loaded.File large(Object key, Blob blob, Entity entity) {
        Optional<PackFile> file = blob.file();
        // Kept open it would be held in memory after its eviction, beyond the bound of the store.
        return file.isEmpty()
                ? new Loaded.File(new ServedFile(entity, blob, parts.clock()), true)
                : new Loaded.File(
                        parts.open()
                                .keep(
                                        key,
                                        new ServedFile(
                                                entity, file.get(), parts.cold().closing(blob), parts.clock())),
                        false);
    }
}
