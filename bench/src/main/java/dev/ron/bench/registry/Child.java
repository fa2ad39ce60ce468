package dev.ron.bench.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A server that is a process of its own. */
record Child(Process process) implements AutoCloseable {

    /** The processor time it has used, in hundredths of a second. */
    long ticks() throws IOException {
        String[] stat =
                Files.readString(Path.of("/proc/" + process.pid() + "/stat")).split(" ", -1);
        return Long.parseLong(stat[13]) + Long.parseLong(stat[14]);
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
