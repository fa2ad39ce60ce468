package dev.ron.bench.registry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What one fdatasync of 4 KiB costs on this disk, in a file whose blocks are there already, as in the log. */
final class SyncProbe implements AutoCloseable {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 2048;

    private final FileChannel channel;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    private final List<Long> times = new ArrayList<>();

    SyncProbe(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.write(ByteBuffer.allocate(BLOCK * BLOCKS), 0);
        channel.force(true);
    }

    void sync() throws IOException {
        long at = (long) (times.size() % BLOCKS) * BLOCK;
        long start = System.nanoTime();
        channel.write(block.clear(), at);
        channel.force(false);
        times.add(System.nanoTime() - start);
    }

    Result result() {
        return new Result(times.size(), 0, 0, times.stream().sorted().toList());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
