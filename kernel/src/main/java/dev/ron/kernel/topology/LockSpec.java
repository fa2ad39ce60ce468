package dev.ron.kernel.topology;

/** A lock with its place in the order: while it is held, only locks of a higher rank may be taken. */
public record LockSpec(String name, int rank, String owner) implements Part {

    public LockSpec {
        Part.requireName(name);
    }

    public LockSpec owner(String task) {
        return new LockSpec(name, rank, task);
    }
}
