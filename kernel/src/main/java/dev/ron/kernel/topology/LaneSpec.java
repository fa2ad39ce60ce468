package dev.ron.kernel.topology;

/** A small pool of platform threads behind a bounded queue, for file I/O and bursts of computing. */
public record LaneSpec(String name, int threads, int capacity, Stage stage) implements Part {

    public LaneSpec {
        Part.requireName(name);
        if (threads < 1 || capacity < 1) {
            throw new IllegalArgumentException(name + ": a lane needs at least one thread and one place");
        }
    }

    public LaneSpec stage(Stage when) {
        return new LaneSpec(name, threads, capacity, when);
    }
}
