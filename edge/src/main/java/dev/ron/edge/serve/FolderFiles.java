package dev.ron.edge.serve;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.FileIdentity;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.pack.PackTag;
import dev.ron.edge.pack.raw.MediaTypes;
import dev.ron.edge.pack.raw.RawFolder;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import io.netty.util.IllegalReferenceCountException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plain files of one folder: small ones from memory, large ones from the file.
 *
 * <p>A file that was looked at less than a second ago is taken to be as it was. Then the pool looks again for one request,
 * while the others still get what is here; where it has changed it gets a new number, so that nothing of the old is found
 * any more.
 */
public final class FolderFiles {
    private static final long TRUST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MOST_NAMES = 65_536;
    private static final int MOST_ABSENT = 1024;
    private static final int MOST_HASHED = 16 << 20;
    private static final int PIECE = 64 << 10;

    private final RawFolder folder;
    private final Parts parts;
    private final Supplier<String> cacheControl;
    private final AtomicLong numbers = new AtomicLong();
    private final Cache<String, Known> known = Caffeine.newBuilder()
            .maximumSize(MOST_NAMES)
            .executor(Runnable::run)
            .build();

    /** Names that were looked for in vain less than a second ago. */
    private final Cache<String, Boolean> absent;

    /** What serving from memory and files needs. */
    public record Parts(
            HotCache cache,
            Room room,
            OpenFiles open,
            Cold cold,
            Sender sender,
            Served served,
            long maxCached,
            Clock clock) {}

    private record Known(FileIdentity identity, long number, EntityTag tag, AtomicLong trustedUntil) {

        /** False for one caller after each time, who then looks at the file. */
        boolean isTrusted(long now) {
            long until = trustedUntil.get();
            return now - until < 0 || !trustedUntil.compareAndSet(until, now + TRUST_NANOS);
        }
    }

    private record FileKey(FolderFiles folder, long number, String cacheControl) {
        @Override
        public int hashCode() {
            return Long.hashCode(number * 0x9E3779B97F4A7C15L);
        }
    }

    public FolderFiles(RawFolder folder, Parts parts, Supplier<String> cacheControl) {
        this.folder = folder;
        this.parts = parts;
        this.cacheControl = cacheControl;
        this.absent = Caffeine.newBuilder()
                .maximumSize(MOST_ABSENT)
                .expireAfterWrite(TRUST_NANOS, TimeUnit.NANOSECONDS)
                .ticker(parts.clock()::nanos)
                .executor(Runnable::run)
                .build();
    }

    /** Answers with the file of that name, or 404. */
    public void handle(Exchange exchange, String name) {
        handleOr(
                exchange,
                name,
                () -> exchange.fail(new RonException(Code.NOT_FOUND, "not_found", "there is no " + name)));
    }

    /** Answers with the file of that name, or does something else. */
    void handleOr(Exchange exchange, String name, Runnable otherwise) {
        if (absent.getIfPresent(name) != null) {
            otherwise.run();
            return;
        }
        Known file = known.getIfPresent(name);
        if (file != null && file.isTrusted(parts.clock().nanos()) && fromMemory(exchange, key(file))) {
            return;
        }
        parts.cold()
                .runOr(
                        exchange,
                        // The look is put off: what is here needs no permit.
                        () -> file != null && fromMemory(exchange, key(file)),
                        () -> load(name),
                        loaded -> answer(exchange, loaded, otherwise),
                        Loaded::release);
    }

    private FileKey key(Known file) {
        return new FileKey(this, file.number(), cacheControl.get());
    }

    private boolean fromMemory(Exchange exchange, FileKey key) {
        HotObject hot = parts.cache().get(key);
        if (hot != null) {
            boolean sent = parts.sender().hot(exchange, hot, false);
            if (sent) {
                parts.served().ram();
            }
            return sent;
        }
        Optional<ServedFile> open = parts.open().get(key);
        open.ifPresent(file -> send(exchange, file, HotObject.HIT));
        return open.isPresent();
    }

    private void answer(Exchange exchange, Loaded loaded, Runnable otherwise) {
        switch (loaded) {
            case Loaded.Hot hot -> {
                parts.served().file();
                parts.sender().fresh(exchange, hot.object(), hot.status(), Headers.NONE);
                hot.release();
            }
            case Loaded.File large -> send(exchange, large.file(), large.status());
            case Loaded.None _ -> otherwise.run();
        }
    }

    private void send(Exchange exchange, ServedFile file, String status) {
        parts.served().file();
        parts.sender().file(exchange, file, status, Headers.NONE, _ -> {});
    }

    /** On the pool. */
    private Loaded load(String name) {
        PackFile file = folder.open(name).orElse(null);
        if (file == null) {
            known.invalidate(name);
            absent.put(name, true);
            return new Loaded.None();
        }
        boolean passedOn = false;
        try {
            Known now = seen(name, file);
            FileKey key = key(now);
            if (file.size() > parts.maxCached()) {
                Optional<ServedFile> open = parts.open().get(key);
                if (open.isPresent()) {
                    return new Loaded.File(open.get(), true); // what of it is warm is known there
                }
                ServedFile served = new ServedFile(
                        entity(name, file, now.tag(), key.cacheControl()),
                        file,
                        parts.cold().closing(file),
                        parts.clock());
                passedOn = true;
                return new Loaded.File(parts.open().keep(key, served), false);
            }
            HotObject hot = parts.cache().get(key);
            if (hot != null && isHeld(hot)) {
                return new Loaded.Hot(hot, true);
            }
            byte[] bytes = file.read(0, (int) file.size());
            HotObject object = HotObject.of(
                    entity(name, file, now.tag(), key.cacheControl()),
                    bytes,
                    parts.sender().says(),
                    parts.room());
            parts.cache().put(key, object.hold());
            return new Loaded.Hot(object, false);
        } finally {
            if (!passedOn) {
                file.close();
            }
        }
    }

    private static boolean isHeld(HotObject hot) {
        try {
            hot.hold();
            return true;
        } catch (IllegalReferenceCountException _) {
            return false;
        }
    }

    private Known seen(String name, PackFile file) {
        @Nullable Known before = known.getIfPresent(name);
        AtomicLong until = new AtomicLong(parts.clock().nanos() + TRUST_NANOS);
        Known now = before != null && before.identity().equals(file.identity())
                ? new Known(before.identity(), before.number(), before.tag(), until)
                : new Known(file.identity(), numbers.incrementAndGet(), tag(file), until);
        known.put(name, now);
        return now;
    }

    private static Entity entity(String name, PackFile file, EntityTag tag, String control) {
        Representation is = new Representation(
                file.size(), tag, Optional.of(file.identity().modified().toInstant()));
        return new Entity(MediaTypes.of(name), "", false, is, control);
    }

    /** The digest of a very large file would come late: which file it is, in which state, identifies it at once. */
    private static EntityTag tag(PackFile file) {
        if (file.size() > MOST_HASHED) {
            return PackTag.of(file.identity());
        }
        Blake3 hash = new Blake3();
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, Math.max(1, file.size())));
        for (long at = 0; at < file.size(); at += piece.limit()) {
            piece.clear().limit((int) Math.min(piece.capacity(), file.size() - at));
            file.read(at, piece);
            hash.update(piece.flip());
        }
        return EntityTag.ofContent(hash.finish());
    }
}
