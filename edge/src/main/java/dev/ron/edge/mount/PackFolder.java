package dev.ron.edge.mount;

import dev.ron.edge.pack.FileIdentity;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.kernel.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mounts every pack in a folder and follows what happens there: new files, replaced ones, removed ones.
 *
 * <p>{@link #follow} is called by one task, now and then. A file is tried once per state: a bad one is not read again
 * before it changes, unless the cause may lie outside of it (a permission, a journal beside it, a disk that failed for a
 * moment): then it is tried again every few seconds. A bad replacement leaves the pack before it mounted. A file that is
 * written to while it is mounted is taken out at once, and comes back when nobody has written to it for these seconds:
 * until then its directory may be new and its tiles old.
 */
public final class PackFolder {
    private static final Logger LOG = LoggerFactory.getLogger(PackFolder.class);
    private static final long AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

    private final Path folder;
    private final PackOpener opener;
    private final Mounts mounts;
    private final Clock clock;
    private final Map<String, Try> tried = new HashMap<>();
    private final Set<Path> shadowed = new HashSet<>(); // of these it was said that another file has their name

    /** The last time that a file was opened, and how it was then; no file where it could not even be looked at. */
    private record Try(@Nullable FileIdentity file, long atNanos) {}

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
        if (PackOpener.nameOf(path).isEmpty()) {
            return refuse(
                    name,
                    new PackError(
                            PackFault.BAD_NAME,
                            path.getFileName() + " (expected: up to 64 of A-Z a-z 0-9 . _ -, the first a letter or"
                                    + " a digit, for the name becomes part of URLs); rename it"));
        }
        FileIdentity now;
        try {
            now = FileIdentity.of(path);
        } catch (IOException e) {
            // Gone between the two looks, which the next one settles, or there and not to be had.
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                    && refuse(name, new PackError(PackFault.UNREADABLE, path.getFileName() + why(e), e));
        }
        Try last = tried.get(name);
        if (isWrittenInPlace(name, last, now)) {
            tried.put(name, new Try(now, clock.nanos()));
            return unmountOverwritten(name, now);
        }
        boolean again = false;
        if (last != null && now.equals(last.file())) {
            again = mayHavePassed(name) && clock.nanos() - last.atNanos() >= AGAIN_NANOS;
            if (!again) {
                return false;
            }
        }
        tried.put(name, new Try(now, clock.nanos()));
        try {
            mounts.mount(name, opener.open(path));
        } catch (RuntimeException e) {
            PackError cause = e instanceof PackError told ? told : unforeseen(path, e);
            if (again && isKnown(name, cause)) {
                return false;
            }
            mounts.failed(name, cause);
        }
        return true;
    }

    /** One file that meets a mistake of ours must not keep the others from being mounted. */
    private static PackError unforeseen(Path path, RuntimeException e) {
        return new PackError(
                PackFault.DAMAGED,
                path.getFileName() + " cannot be mounted: " + e.getClass().getSimpleName(),
                e);
    }

    private static String why(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> " is a link to a file that does not exist";
            case AccessDeniedException _ -> " cannot be read: the process has no permission";
            case FileSystemException f -> " cannot be read: " + f.getReason();
            default -> " cannot be read: " + e.getMessage(); // names no folder, unlike those above
        };
    }

    /** Notes once why a name is not mounted, and remembers it, so that the cause goes with the file. */
    private boolean refuse(String name, PackError cause) {
        tried.put(name, new Try(null, clock.nanos()));
        if (isKnown(name, cause)) {
            return false;
        }
        mounts.failed(name, cause);
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

    private boolean isWrittenInPlace(String name, @Nullable Try last, FileIdentity now) {
        SharedPack shared = mounts.current(name);
        if (shared != null) {
            return isOverwritten(shared, now);
        }
        boolean changed = last != null
                && last.file() != null
                && last.file().sameFile(now)
                && !last.file().equals(now);
        return changed
                && mounts.fault(name)
                        .filter(cause -> cause.fault() == PackFault.OVERWRITTEN)
                        .isPresent();
    }

    private static boolean isOverwritten(SharedPack shared, FileIdentity now) {
        FileIdentity opened = shared.pack().file().identity();
        return opened.sameFile(now) && !opened.equals(now);
    }

    private boolean unmountOverwritten(String name, FileIdentity now) {
        try (Lease lease = mounts.lease(name).orElse(null)) {
            if (lease == null || !isOverwritten(lease.shared(), now)) {
                return false;
            }
            PackError cause = new PackError(
                    PackFault.OVERWRITTEN,
                    lease.pack().file().name() + " was overwritten while mounted; it is tried again when nobody has"
                            + " written to it for " + AGAIN_NANOS / 1_000_000_000 + " s; replace packs by rename");
            mounts.unmount(name, lease, cause);
            return true;
        }
    }

    /** Packs by name; of two files with one name the .mbtiles loses, being the first in order. */
    private Map<String, Path> list() {
        Map<String, Path> found = new TreeMap<>();
        Set<Path> losers = new HashSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(PackOpener::isPack).sorted().forEach(path -> {
                Path loser = found.put(PackOpener.nameOf(path).orElse(String.valueOf(path.getFileName())), path);
                if (loser != null) {
                    losers.add(loser);
                }
            });
        } catch (IOException | UncheckedIOException e) {
            throw new PackError(PackFault.UNREADABLE, "the folder of packs cannot be listed; check edge.packs_dir", e);
        }
        shadowed.retainAll(losers);
        losers.stream()
                .filter(shadowed::add)
                .forEach(loser -> LOG.warn(
                        "{} is not served: the .pmtiles of that name is; rename or remove one", loser.getFileName()));
        return found;
    }
}
