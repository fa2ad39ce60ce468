package dev.ron.node.fsck;

import dev.ron.registry.disk.Disk;
import dev.ron.registry.disk.DiskFile;
import dev.ron.registry.disk.RealDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A registry's folder as it is: what recovery would cut off or delete stays where it is. */
final class ReadOnlyDisk implements Disk {
    private final Path root;

    ReadOnlyDisk(Path root) {
        this.root = root;
    }

    @Override
    public DiskFile open(String name) throws IOException {
        return new Reading(FileChannel.open(root.resolve(name)));
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(root.resolve(name));
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return RealDisk.namesIn(root.resolve(folder));
    }

    @Override
    public void rename(String from, String to) {}

    @Override
    public void delete(String name) {}

    @Override
    public void syncFolder(String folder) {}

    @Override
    public long freeBytes() {
        return Long.MAX_VALUE;
    }

    // The node's own lock is held, and without it no registry opens this folder.
    @Override
    public AutoCloseable lock(String name) {
        return () -> {};
    }

    @Override
    public String toString() {
        return root.toString();
    }

    private record Reading(FileChannel file) implements DiskFile {
        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            RealDisk.read(file, into, position);
        }

        @Override
        public void write(ByteBuffer from, long position) {}

        @Override
        public void truncate(long size) {}

        @Override
        public void sync() {}

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
