package dev.ron.passport.kms;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner may read, and that are replaced whole or not at all. */
public final class DurableFile {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private DurableFile() {}

    /** Writes beside, syncs, renames, syncs the folder: after a crash there is the old content or the new one. */
    public static void replace(Path file, byte[] content) throws IOException {
        Path temp = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temp);
        try {
            try (FileChannel out = FileChannel.open(
                    temp,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
                ByteBuffer left = ByteBuffer.wrap(content);
                while (left.hasRemaining()) {
                    out.write(left);
                }
                out.force(true);
            }
            Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temp); // what did not fit must not take the room that is left
        }
        syncFolder(file);
    }

    public static void syncFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel entry = FileChannel.open(folder, StandardOpenOption.READ)) {
                entry.force(true);
            }
        }
    }

    /** Refuses a file that others may read or write. */
    public static void requireOwnerOnly(Path file) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        if (!OWNER_ONLY.containsAll(mode)) {
            throw CannotOpen.because(
                    file + " has mode " + PosixFilePermissions.toString(mode) + " (expected: rw-------)",
                    "chmod 600 " + file);
        }
    }
}
