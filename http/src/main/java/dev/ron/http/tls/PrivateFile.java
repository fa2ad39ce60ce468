package dev.ron.http.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether a file that holds a secret is its owner's alone.
 *
 * <p>What systemd hands over as a credential belongs to root, and an access list lets the account of the service read it.
 * Its mode shows that as a right of the group, which has none.
 */
public final class PrivateFile {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private PrivateFile() {}

    public static boolean isOpenToOthers(Path file) throws IOException {
        return isOpenToOthers(file, System.getenv());
    }

    static boolean isOpenToOthers(Path file, Map<String, String> environment) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return false; // a file system without modes
        }
        Set<PosixFilePermission> mode = new HashSet<>(Files.getPosixFilePermissions(file));
        mode.removeAll(OWNER);
        if (isCredential(file, environment.getOrDefault("CREDENTIALS_DIRECTORY", ""))) {
            mode.remove(PosixFilePermission.GROUP_READ);
        }
        return !mode.isEmpty();
    }

    private static boolean isCredential(Path file, String folder) {
        return !folder.isEmpty() && file.toAbsolutePath().normalize().startsWith(Path.of(folder));
    }
}
