package dev.ron.edge.cas;

import dev.ron.edge.digest.Digest;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folders of a store on disk: blobs under {@code b3/<2 hex>/<2 hex>/<64 hex>}, writes in progress in {@code tmp},
 * damaged blobs in {@code quarantine}, and a lock that keeps a second process out.
 */
final class DiskLayout implements AutoCloseable {
    private static final String VERSION = "1";
    private static final int QUARANTINED = 32;

    private final Path root;
    private final FileChannel lock;

    DiskLayout(Path root) throws IOException {
        this.root = root;
        Files.createDirectories(blobs());
        Files.createDirectories(temporary());
        Files.createDirectories(quarantine());
        this.lock = lock();
        try {
            checkVersion();
            // Whatever a killed process was writing was never visible; it is of no use to anyone.
            for (Path left : list(temporary())) {
                Files.delete(left);
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private FileChannel lock() throws IOException {
        FileChannel file = FileChannel.open(root.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = file.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            // held by this very process
        } finally {
            if (!locked) {
                file.close();
            }
        }
        if (!locked) {
            throw new RonException(
                    Code.CONFLICT, "cas_locked", "the store is in use by another process; give each its own cas.dir");
        }
        return file;
    }

    private void checkVersion() throws IOException {
        Path version = root.resolve("VERSION");
        // Empty where the disk was full, or the power went, in the instant in which it was made.
        if (!Files.exists(version) || Files.size(version) == 0) {
            Files.writeString(version, VERSION + "\n");
        }
        String found = Files.readString(version).strip();
        if (!found.equals(VERSION)) {
            throw new RonException(
                    Code.CONFLICT, "cas_version", "the store has version " + found + " (expected: " + VERSION + ")");
        }
    }

    private Path blobs() {
        return root.resolve("b3");
    }

    private Path temporary() {
        return root.resolve("tmp");
    }

    private Path quarantine() {
        return root.resolve("quarantine");
    }

    Path temporary(long number) {
        return temporary().resolve(number + ".part");
    }

    Path blob(Digest digest) {
        String hex = digest.hex();
        return blobs().resolve(hex.substring(0, 2)).resolve(hex.substring(2, 4)).resolve(hex);
    }

    /** Every file below the blobs' folder. */
    List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(blobs())) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Puts a damaged blob aside, where a person can look at it; only the newest are kept. */
    void quarantine(Digest digest, long stamp) throws IOException {
        Files.move(blob(digest), quarantine().resolve(digest.hex() + "." + stamp));
        List<Path> kept = list(quarantine()).stream()
                .sorted(Comparator.comparingLong(path -> path.toFile().lastModified()))
                .toList();
        for (Path old : kept.subList(0, Math.max(0, kept.size() - QUARANTINED))) {
            Files.deleteIfExists(old);
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
