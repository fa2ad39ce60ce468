package dev.ron.registry.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A folder of files, named by relative paths with {@code /}.
 *
 * <p>A new, renamed or deleted file is safe once {@link #syncFolder} of its folder has returned.
 */
public interface Disk {

    /** Opens a file, and makes it where it is missing. */
    DiskFile open(String name) throws IOException;

    boolean exists(String name);

    /** The plain names in a folder, sorted; empty where there is none. The folder itself is {@code ""}. */
    List<String> list(String folder) throws IOException;

    /** Puts a file in another's place, in one step. */
    void rename(String from, String to) throws IOException;

    void delete(String name) throws IOException;

    void syncFolder(String folder) throws IOException;

    long freeBytes() throws IOException;

    /** Holds a file for this process; {@link Held} when another has it. */
    AutoCloseable lock(String name) throws IOException;

    /** Another process holds the folder. */
    final class Held extends IOException {
        private static final long serialVersionUID = 1L;

        public Held(String who) {
            super(who);
        }
    }

    default byte[] readAll(String name) throws IOException {
        try (DiskFile file = open(name)) {
            byte[] bytes = new byte[Math.toIntExact(file.size())];
            file.read(ByteBuffer.wrap(bytes), 0);
            return bytes;
        }
    }

    /** Writes beside, syncs, renames, syncs the folder: after a crash there is the old content or the new one. */
    default void replace(String name, byte[] content) throws IOException {
        String temp = name + ".tmp";
        try (DiskFile file = open(temp)) {
            file.truncate(0);
            file.write(ByteBuffer.wrap(content), 0);
            file.sync();
        }
        rename(temp, name);
        syncFolder(folderOf(name));
    }

    static String folderOf(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }
}
