package dev.ron.edge.cas;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import dev.ron.edge.pack.FileIdentity;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFile;
import dev.ron.kernel.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store on disk.
 *
 * <p>Nothing is synced: a blob's bytes are checked against its name the first time a process opens it, so what a crash
 * left damaged is never served, and everything here can be fetched again.
 */
public final class DiskCas implements Cas {
    private static final Logger LOG = LoggerFactory.getLogger(DiskCas.class);
    private static final int READ_BYTES = 64 * 1024;
    private static final int MANY_BYTES = 1 << 20;

    private final DiskLayout layout;
    private final Clock clock;
    private final Shelf<Checked> shelf;
    private final AtomicLong temporaries = new AtomicLong();

    /** The state in which a blob's bytes were last known to be right. */
    private static final class Checked {
        private final AtomicReference<Optional<FileIdentity>> as;

        Checked(Optional<FileIdentity> as) {
            this.as = new AtomicReference<>(as);
        }
    }

    private DiskCas(DiskLayout layout, long maxBytes, Clock clock) {
        this.layout = layout;
        this.clock = clock;
        this.shelf = new Shelf<>(maxBytes, clock);
    }

    /** Opens or makes a store; one process at a time. */
    public static DiskCas open(Path folder, long maxBytes, Clock clock) {
        try {
            DiskLayout layout = new DiskLayout(folder);
            DiskCas cas = new DiskCas(layout, maxBytes, clock);
            cas.restore();
            return cas;
        } catch (IOException e) {
            throw CasErrors.io("be opened", e);
        }
    }

    private record Found(Path path, Digest digest, long size, FileTime used) {}

    private void restore() throws IOException {
        List<Found> found = new ArrayList<>();
        for (Path path : layout.files()) {
            Optional<Digest> digest = Digest.parse(String.valueOf(path.getFileName()));
            if (digest.isPresent() && layout.blob(digest.get()).equals(path)) {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                found.add(new Found(path, digest.get(), attributes.size(), attributes.lastAccessTime()));
            }
        }
        found.sort(Comparator.comparing(Found::used));
        found.forEach(blob -> shelf.restore(blob.digest(), blob.size(), new Checked(Optional.empty())));
        delete(shelf.makeRoom(0)); // the bound may be lower than last time
    }

    @Override
    public Optional<Blob> open(Digest digest) {
        return shelf.use(digest).flatMap(this::open);
    }

    private Optional<Blob> open(Shelf.Item<Checked> item) {
        PackFile file;
        try {
            file = PackFile.open(layout.blob(item.digest()));
        } catch (PackError e) {
            if (e.getCause() instanceof IOException cause && !(cause instanceof NoSuchFileException)) {
                throw CasErrors.io("open an object", cause); // too many open files: it is there all the same
            }
            // Evicted this instant, or taken away by hand.
            if (shelf.removeDamaged(item)) {
                LOG.warn("blob {} is gone: {}", item.digest(), e.detail());
            }
            return Optional.empty();
        }
        try {
            if (item.value().as.get().equals(Optional.of(file.identity())) || isIntact(item, file)) {
                item.value().as.set(Optional.of(file.identity()));
                return Optional.of(new DiskBlob(item.digest(), file));
            }
        } catch (PackError e) {
            LOG.warn("blob {} cannot be read: {}", item.digest(), e.detail());
        }
        file.close();
        putAside(item);
        return Optional.empty();
    }

    private static boolean isIntact(Shelf.Item<Checked> item, PackFile file) {
        if (file.size() != item.size()) {
            return false;
        }
        Blake3 hash = new Blake3();
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(READ_BYTES, Math.max(1, file.size())));
        for (long at = 0; at < file.size(); at += piece.limit()) {
            piece.clear().limit((int) Math.min(piece.capacity(), file.size() - at));
            file.read(at, piece);
            hash.update(piece.flip());
        }
        return hash.finish().equals(item.digest());
    }

    private void putAside(Shelf.Item<Checked> item) {
        if (!shelf.removeDamaged(item)) {
            return;
        }
        LOG.error("blob {} is damaged and was put aside", item.digest());
        try {
            layout.quarantine(item.digest(), clock.now().toEpochMilli());
        } catch (IOException e) {
            LOG.error("blob {} could not be put aside", item.digest(), e);
        }
    }

    @Override
    public boolean holds(Digest digest) {
        return shelf.holds(digest);
    }

    @Override
    public boolean isUnread(Digest digest) {
        return shelf.find(digest)
                .filter(item ->
                        item.size() > MANY_BYTES && item.value().as.get().isEmpty())
                .isPresent();
    }

    @Override
    public void touch(Digest digest) {
        shelf.touch(digest);
    }

    @Override
    public Staged stage(long maxBytes) {
        try {
            return new StagedFile(
                    layout.temporary(temporaries.incrementAndGet()), Math.min(maxBytes, shelf.maxBytes()));
        } catch (IOException e) {
            throw CasErrors.io("begin an object", e);
        }
    }

    @Override
    public Committed commit(Staged staged) {
        if (!(staged instanceof StagedFile file)) {
            throw new IllegalArgumentException("staged in another store");
        }
        try (file) {
            Digest digest = file.finish();
            boolean duplicate = shelf.isDuplicate(digest, this::stands);
            if (!duplicate) {
                delete(shelf.makeRoom(file.size()));
                Path blob = layout.blob(digest);
                file.moveTo(blob);
                // Hashed on the way in: right as long as it stays in this state.
                shelf.add(digest, file.size(), new Checked(Optional.of(FileIdentity.of(blob))));
            }
            return new Committed(digest, file.size(), duplicate);
        } catch (IOException e) {
            throw CasErrors.io("commit an object", e);
        }
    }

    /** Whether a blob's file is what was found right; one that nobody has looked at yet is written anew, whole. */
    private boolean stands(Shelf.Item<Checked> item) {
        try {
            FileIdentity now = FileIdentity.of(layout.blob(item.digest()));
            return item.value().as.get().equals(Optional.of(now));
        } catch (IOException _) {
            return false; // taken away by hand
        }
    }

    /** Readers that have one open keep it until they close it. */
    private void delete(List<Shelf.Item<Checked>> evicted) throws IOException {
        for (Shelf.Item<Checked> item : evicted) {
            Files.deleteIfExists(layout.blob(item.digest()));
        }
    }

    @Override
    public CasStats stats() {
        return shelf.stats();
    }

    @Override
    public void close() {
        try {
            layout.close();
        } catch (IOException e) {
            throw CasErrors.io("be closed", e);
        }
    }

    private record DiskBlob(Digest digest, PackFile bytes) implements Blob {
        @Override
        public Optional<PackFile> file() {
            return Optional.of(bytes);
        }

        @Override
        public long size() {
            return bytes.size();
        }

        @Override
        public void read(long offset, ByteBuffer into) {
            Objects.checkFromIndexSize(offset, into.remaining(), size());
            try {
                bytes.read(offset, into);
            } catch (PackError _) {
                throw CasErrors.damaged();
            }
        }

        @Override
        public void close() {
            bytes.close();
        }
    }
}
