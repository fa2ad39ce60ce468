package dev.ron.edge.mount;

import dev.ron.edge.pack.FileIdentity;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.kernel.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Mounts every pack in a folder and follows what happens there: new files, replaced ones, removed ones.
 *
 * <p>{@link #follow} is called by one task, now and then. A file is tried once per state: a bad one is not read again
 * before it changes, unless the cause may lie outside of it (a permission, a journal beside it, a disk that failed for a
 * moment): then it is tried again every few seconds. A bad replacement leaves the pack before it mounted, unless that was
 * the very file which was overwritten.
 */
public final class PackFolder {
    private static final long AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

    private final Path folder;
    private final PackOpener opener;
    private final Mounts mounts;
    private final Clock clock;
    private final Map<String, Try> tried = new HashMap<>();

    /** The last time that a file was opened, and how it was then. */
    private record Try(FileIdentity file, long atNanos) {}

    public PackFolder(Path folder, PackOpener opener, Mounts mounts, Clock clock) {
        this.folder = folder;
        this.opener = opener;
        this.mounts = mounts;
        this.clock = clock;
    }

    /** Brings the mounts in line with the folder; returns how many names changed. */
    public int follow() {
        Map<String, Path> found = list();
        int changes = 0;
        for (String gone :
                tried.keySet().stream().filter(name -> !found.containsKey(name)).toList()) {
            tried.remove(gone);
            mounts.unmount(gone);
            changes++;
        }
        for (Map.Entry<String, Path> entry : found.entrySet()) {
            changes += follow(entry.getKey(), entry.getValue()) ? 1 : 0;
        }
        return changes;
    }

    private boolean follow(String name, Path path) {
        FileIdentity now;
        try {
            now = FileIdentity.of(path);
        } catch (IOException _) {
            return false; // gone between the two looks; the next one settles it
        }
        Try last = tried.get(name);
        boolean again = false;
        if (last != null && last.file().equals(now)) {
            again = mayHavePassed(name) && clock.nanos() - last.atNanos() >= AGAIN_NANOS;
            if (!again) {
                return false;
            }
        }
        tried.put(name, new Try(now, clock.nanos()));
        try {
            mounts.mount(name, opener.open(path));
        } catch (PackError e) {
            if (again && isKnown(name, e)) {
                return false;
            }
            unmountIfOverwritten(name, now, e);
            mounts.failed(name, e);
        }
        return true;
    }

    private boolean mayHavePassed(String name) {
        return mounts.fault(name)
                .map(cause -> switch (cause.fault()) {
                    case UNREADABLE, OVERWRITTEN, BAD_SCHEMA -> true;
                    default -> false;
                })
                .orElse(false);
    }

    private boolean isKnown(String name, PackError cause) {
        return mounts.fault(name)
                .filter(known -> known.detail().equals(cause.detail()))
                .isPresent();
    }

    private void unmountIfOverwritten(String name, FileIdentity now, PackError cause) {
        try (Lease lease = mounts.lease(name).orElse(null)) {
            if (lease != null && lease.pack().file().identity().sameFile(now)) {
                mounts.unmount(name, lease, cause);
            }
        }
    }

    /** Packs by name; of two files with one name the .mbtiles loses, being the first in order. */
    private Map<String, Path> list() {
        Map<String, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.sorted().forEach(path -> {
                Optional<String> name = PackOpener.nameOf(path);
                name.ifPresent(n -> found.put(n, path));
            });
        } catch (IOException e) {
            throw new PackError(PackFault.UNREADABLE, "the folder of packs cannot be listed; check edge.packs_dir", e);
        }
        return found;
    }
}
