package dev.ron.node.data;

import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one node, held by one process at a time.
 *
 * <pre>
 * data/ron.lock         held while a node runs; names its process
 * data/operator.token   the operator's credential, mode 0600
 * data/&lt;service&gt;/  what a service keeps
 * data/.restoring       there while a backup is brought back, and after one that was cut off
 * </pre>
 */
public final class DataFolder implements AutoCloseable {
    static final String RESTORING = ".restoring";
    private static final String LOCK = "ron.lock";

    private final Path root;
    private final FileChannel lockFile;

    private DataFolder(Path root, FileChannel lockFile) {
        this.root = root;
        this.lockFile = lockFile;
    }

    /** Makes the folder where it is missing, readable by its owner only, and takes its lock; refuses half of a backup. */
    public static DataFolder open(Path path) {
        return open(path, false);
    }

    /** The same for who brings a backup back: what an unfinished restore left may be in it. */
    static DataFolder openToRestore(Path path) {
        return open(path, true);
    }

    private static DataFolder open(Path path, boolean toRestore) {
        Path root = path.toAbsolutePath().normalize();
        try {
            if (!Files.isDirectory(root)) {
                Files.createDirectories(
                        root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            FileChannel lock = lock(root);
            if (!toRestore && Files.exists(root.resolve(RESTORING))) {
                lock.close();
                throw new Stop(
                        ExitCode.BAD_CONFIG,
                        "the data folder " + root + " is not whole",
                        "a restore into it was cut off",
                        "bring the backup back once more: ron restore FILE --data " + root);
            }
            return new DataFolder(root, lock);
        } catch (IOException e) {
            throw new Stop(
                    ExitCode.BAD_CONFIG,
                    "cannot use the data folder " + root,
                    e.toString(),
                    "choose another with --data, or keep nothing on disk with --profile micro");
        }
    }

    /** Deletes a folder with all that is in it, where it is. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        Path file = root.resolve(LOCK);
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            String holder = Files.readString(file).strip();
            channel.close();
            throw new Stop(
                    ExitCode.LOCKED,
                    "the data folder " + root + " is in use",
                    "process " + holder + " holds ron.lock",
                    "stop it, or start this node with another folder: --data DIR");
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8)));
        return channel;
    }

    /** The process that holds a folder; empty where none does. */
    public static OptionalLong holder(Path path) {
        Path file = path.toAbsolutePath().normalize().resolve(LOCK);
        if (!Files.isReadable(file)) {
            return OptionalLong.empty();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = tryLock(channel)) {
            return lock != null
                    ? OptionalLong.empty()
                    : OptionalLong.of(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException _) {
            return OptionalLong.empty(); // a start says it in full
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            return null;
        }
    }

    /** Where root works in the folder of another account, as under systemd, that account must be able to use what was made. */
    public void giveToOwner(Path... made) throws IOException {
        Object owner = Files.getAttribute(root, "unix:uid");
        Object group = Files.getAttribute(root, "unix:gid");
        if (owner.equals(0)) {
            return;
        }
        List<Path> tops = new ArrayList<>(List.of(made));
        tops.add(root.resolve(LOCK));
        for (Path top : tops) {
            if (!Files.exists(top)) {
                continue;
            }
            try (Stream<Path> all = Files.walk(top)) {
                for (Path path : all.toList()) {
                    // What that account could have linked to is not given away.
                    if (Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                            .equals(0)) {
                        Files.setAttribute(path, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
                        Files.setAttribute(path, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
                    }
                }
            }
        }
    }

    public Path root() {
        return root;
    }

    /** The folder of one service, made on first use. */
    public Path of(String service) throws IOException {
        return Files.createDirectories(root.resolve(service));
    }

    /** Whether a service keeps such a folder; ends the start where this account cannot tell. */
    public boolean has(String service, String folder) throws IOException {
        Path kept = root.resolve(service);
        if (isClosed(kept)) {
            throw new Stop(
                    ExitCode.BAD_CONFIG,
                    "the " + service + " cannot open",
                    kept + " belongs to " + Files.getOwner(kept).getName() + ", and this account may not look inside",
                    "give it to the account that runs the node: chown -R --reference=" + root + " " + kept);
        }
        return Files.isDirectory(kept.resolve(folder));
    }

    /** Whether there is a folder that this account may not look into. */
    public static boolean isClosed(Path folder) {
        return Files.isDirectory(folder) && !Files.isExecutable(folder);
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}
