package dev.ron.node;

import java.nio.file.Path;

/** A node in a process of its own, for tests of the command line. */
public final class RunningNode implements AutoCloseable {
    private final NodeProcess process;

    private RunningNode(NodeProcess process) {
        this.process = process;
    }

    /** A demo node whose data is in {@code folder/data}, with these further arguments. */
    public static RunningNode up(Path folder, String... more) {
        return new RunningNode(NodeProcess.up(folder, more));
    }

    public int port(String listener) {
        return process.port(listener);
    }

    /** Waits for the end and answers the exit code. */
    public int exitCode() {
        return process.exitCode();
    }

    @Override
    public void close() {
        process.close();
    }
}
