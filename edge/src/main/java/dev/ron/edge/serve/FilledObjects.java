package dev.ron.edge.serve;

import dev.ron.edge.digest.Digest;
import dev.ron.edge.fill.AssetKey;
import dev.ron.edge.fill.Filled;
import dev.ron.edge.fill.Fills;
import dev.ron.edge.fill.Ready;
import dev.ron.edge.fill.Stored;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Objects that were fetched, sent like all others: from memory, or from their file in the store. */
public final class FilledObjects implements Fills.FilledSender {
    private final Blobs blobs;
    private final FolderFiles.Parts parts;

    /** The same bytes may be known under several keys, and something else be said of them under each. */
    private record FilledKey(Digest digest, String mediaType, Optional<Instant> lastModified, Keeping keeping) {}

    /**
     * For how long a caller may keep an object: what the operator says, else as long as it is fresh here, told from when
     * it left its origin like its {@code Age}. So nobody keeps what the edge itself would ask about.
     *
     * @param seconds 0 where it is to be asked about
     */
    private record Keeping(Optional<String> said, long seconds, boolean strict) {
        static Keeping of(AssetKey key, Stored object, Instant now) {
            boolean fresh = now.isBefore(object.freshUntil());
            long seconds =
                    object.freshUntil().getEpochSecond() - object.checked().getEpochSecond();
            return key.route().cacheControl().isPresent()
                    ? new Keeping(key.route().cacheControl(), 0, false)
                    : new Keeping(Optional.empty(), fresh ? seconds : 0, object.strict());
        }

        String control() {
            return said.orElseGet(() ->
                    seconds == 0 ? "no-cache" : "public, max-age=" + seconds + (strict ? ", must-revalidate" : ""));
        }
    }

    public FilledObjects(Blobs blobs, FolderFiles.Parts parts) {
        this.blobs = blobs;
        this.parts = parts;
    }

    private FilledKey place(AssetKey key, Stored object) {
        return new FilledKey(
                object.digest(),
                object.mediaType(),
                object.lastModified(),
                Keeping.of(key, object, parts.clock().now()));
    }

    @Override
    public void stored(Exchange exchange, AssetKey key, Stored object, String status, Runnable gone) {
        FilledKey place = place(key, object);
        Headers age = age(place, object);
        HotObject hot = parts.cache().get(place);
        if (hot != null && parts.sender().fresh(exchange, hot, status, age)) {
            blobs.touch(object.digest());
            parts.served().ram();
            return;
        }
        Optional<ServedFile> open = parts.open().get(place);
        if (open.isPresent()) {
            blobs.touch(object.digest());
            send(exchange, open.get(), status, age);
            return;
        }
        Blobs.Sized entity = entity(place);
        blobs.cold(object.digest())
                .run(
                        exchange,
                        () -> blobs.load(place, object.digest(), entity),
                        loaded -> send(exchange, loaded, status, age, gone),
                        Loaded::release);
    }

    private static Blobs.Sized entity(FilledKey of) {
        return length -> new Entity(
                of.mediaType(),
                "",
                false,
                new Representation(length, EntityTag.ofContent(of.digest()), of.lastModified()),
                of.keeping().control());
    }

    /** Sends what was loaded, which gives its reference back. */
    private void send(Exchange exchange, Loaded loaded, String status, Headers age, Runnable gone) {
        switch (loaded) {
            case Loaded.Hot(HotObject object, boolean _) -> {
                parts.served().cas();
                parts.sender().fresh(exchange, object, status, age);
                object.release();
            }
            case Loaded.File(ServedFile file, boolean _) -> send(exchange, file, status, age);
            case Loaded.None _ -> gone.run();
        }
    }

    @Override
    public Optional<Ready> ready(AssetKey key, Stored object, boolean written) {
        FilledKey place = place(key, object);
        Loaded loaded;
        try {
            loaded = blobs.load(place, object.digest(), entity(place));
        } catch (RonException full) {
            if (full.code() != Code.BUSY) {
                throw full;
            }
            return Optional.of(refused(full)); // it is in the store: whoever comes when there is room finds it there
        }
        if (loaded instanceof Loaded.None) {
            return Optional.empty();
        }
        if (written && loaded instanceof Loaded.File(ServedFile file, boolean _)) {
            file.readJustNow();
        }
        return Optional.of(
                held(loaded, (exchange, status) -> send(exchange, loaded, status, age(place, object), () -> {})));
    }

    /** Cannot be held, so that those who wait ask again, each for itself. */
    private static Ready refused(RonException why) {
        return held(new Loaded.None(), (exchange, _) -> exchange.fail(why));
    }

    private static Ready held(Loaded loaded, BiConsumer<Exchange, String> send) {
        return new Ready() {
            @Override
            public boolean hold() {
                return loaded.hold();
            }

            @Override
            public void send(Exchange exchange, String status) {
                send.accept(exchange, status);
            }

            @Override
            public void release() {
                loaded.release();
            }
        };
    }

    private void send(Exchange exchange, ServedFile file, String status, Headers age) {
        parts.served().cas();
        parts.sender().file(exchange, file, status, age, _ -> {});
    }

    /** Beside an operator's own lifetime, which counts from now, there is none. */
    private Headers age(FilledKey place, Stored object) {
        if (place.keeping().said().isPresent()) {
            return Headers.NONE;
        }
        long seconds = parts.clock().now().getEpochSecond() - object.checked().getEpochSecond();
        return Headers.of("Age", Long.toString(Math.max(0, seconds)));
    }

    @Override
    public Ready passing(Filled.Passing object) {
        Representation is =
                new Representation(object.bytes().remaining(), EntityTag.ofContent(object.digest()), Optional.empty());
        HotObject once;
        try {
            once = HotObject.of(
                    new Entity(object.mediaType(), "", false, is, "no-store"),
                    object.bytes().array(),
                    false,
                    parts.room());
        } catch (RonException full) {
            return refused(full);
        }
        return held(new Loaded.Hot(once, false), (exchange, _) -> {
            parts.sender().fresh(exchange, once, "edge; fwd=miss", Headers.NONE);
            once.release();
        });
    }

    @Override
    public void negative() {
        parts.served().negative();
    }

    @Override
    public void miss(boolean stale) {
        parts.served().miss(stale);
    }
}
