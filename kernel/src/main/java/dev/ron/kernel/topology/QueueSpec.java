package dev.ron.kernel.topology;

/** A bounded queue that a service keeps itself, because a mailbox cannot order it: declared and seen like any other. */
public record QueueSpec(String name, int capacity, String from, String to, String whenFull) implements Part {
    public QueueSpec {
        Part.requireName(name);
        if (capacity < 1) {
            throw new IllegalArgumentException(name + ": capacity " + capacity + " (expected: at least 1)");
        }
    }

    public QueueSpec from(String sender) {
        return new QueueSpec(name, capacity, sender, to, whenFull);
    }

    public QueueSpec to(String receiver) {
        return new QueueSpec(name, capacity, from, receiver, whenFull);
    }

    public QueueSpec whenFull(String what) {
        return new QueueSpec(name, capacity, from, to, what);
    }
}
