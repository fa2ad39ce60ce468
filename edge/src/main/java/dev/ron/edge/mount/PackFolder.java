package dev.ron.edge.mount;

import dev.ron.edge.pack.FileIdentity;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Mounts every pack in a folder and follows what happens there: new files, replaced ones, removed ones.
 *
 * <p>{@link #follow} is called by one task, now and then. A file is tried once per state: a bad one is not read again
 * before it changes. A bad replacement leaves the pack before it mounted, unless that was the very file which was
 * overwritten.
 */
public final class PackFolder {
    private final Path folder;
    private final PackOpener opener;
    private final Mounts mounts;
    private final Map<String, FileIdentity> tried = new HashMap<>();

    public PackFolder(Path folder, PackOpener opener, Mounts mounts) {
        this.folder = folder;
        this.opener = opener;
        this.mounts = mounts;
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
        if (now.equals(tried.put(name, now))) {
            return false;
        }
        try {
            mounts.mount(name, opener.open(path));
        } catch (PackError e) {
            unmountIfOverwritten(name, now, e);
            mounts.failed(name, e);
        }
        return true;
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
