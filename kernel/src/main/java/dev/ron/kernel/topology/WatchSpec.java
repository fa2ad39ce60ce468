package dev.ron.kernel.topology;

/** One slot whose newest value everyone sees. */
public record WatchSpec(String name, String from, String to) implements Part {

    public WatchSpec {
        Part.requireName(name);
    }

    public WatchSpec from(String writer) {
        return new WatchSpec(name, writer, to);
    }

    public WatchSpec to(String readers) {
        return new WatchSpec(name, from, readers);
    }
}
