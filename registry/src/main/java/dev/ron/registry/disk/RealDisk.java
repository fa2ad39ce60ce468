package dev.ron.registry.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The machine's file system; folders and files are their owner's only. */
public final class RealDisk implements Disk {
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<StandardOpenOption> READ_WRITE =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);

    private final Path root;

    public RealDisk(Path root) throws IOException {
        this.root = root.toAbsolutePath().normalize();
        Files.createDirectories(this.root, FOLDER);
    }

    private Path at(String name) {
        return root.resolve(name);
    }

    @Override
    public DiskFile open(String name) throws IOException {
        Path path = at(name);
        try {
            makeFolderOf(path);
            return new Open(name, FileChannel.open(path, READ_WRITE, FILE));
        } catch (IOException e) {
            throw NoSpace.of(name, e);
        }
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(at(name));
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return namesIn(at(folder));
    }

    /** The names in a folder, sorted; none where there is no such folder. */
    public static List<String> namesIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> names = Files.list(folder)) {
            return names.map(name -> String.valueOf(name.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** Fills the buffer from a position on, or up to the end of the file. */
    public static void read(FileChannel channel, ByteBuffer into, long position) throws IOException {
        long at = position;
        while (into.hasRemaining()) {
            int count = channel.read(into, at);
            if (count < 0) {
                return;
            }
            at += count;
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        makeFolderOf(at(to));
        Files.move(at(from), at(to), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(at(name));
    }

    @Override
    public void syncFolder(String folder) throws IOException {
        try (FileChannel channel = FileChannel.open(at(folder), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long freeBytes() throws IOException {
        return Files.getFileStore(root).getUsableSpace();
    }

    @Override
    public AutoCloseable lock(String name) throws IOException {
        Path file = at(name);
        FileChannel channel = FileChannel.open(file, READ_WRITE, FILE);
        if (tryLock(channel) == null) {
            String holder = Files.readString(file).strip();
            channel.close();
            throw new Held("process " + holder + " holds " + file);
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8)));
        return channel;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            return null;
        }
    }

    private void makeFolderOf(Path path) throws IOException {
        Path folder = path.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            Files.createDirectories(folder, FOLDER);
        }
    }

    @Override
    public String toString() {
        return root.toString();
    }

    private record Open(String name, FileChannel channel) implements DiskFile {
        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            RealDisk.read(channel, into, position);
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            long at = position;
            try {
                while (from.hasRemaining()) {
                    at += channel.write(from, at);
                }
            } catch (IOException e) {
                throw NoSpace.of(name, e);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
