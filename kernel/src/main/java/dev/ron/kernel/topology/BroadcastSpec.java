package dev.ron.kernel.topology;

/** A ring that every subscriber reads at its own pace; the slow ones learn how much they missed. */
public record BroadcastSpec(String name, int capacity, String from, String to) implements Part {

    public BroadcastSpec {
        Part.requireName(name);
        if (capacity < 2 || capacity > 1 << 20) {
            throw new IllegalArgumentException(name + ": capacity " + capacity + " (expected: 2.." + (1 << 20) + ")");
        }
    }

    public BroadcastSpec from(String publisher) {
        return new BroadcastSpec(name, capacity, publisher, to);
    }

    public BroadcastSpec to(String subscribers) {
        return new BroadcastSpec(name, capacity, from, subscribers);
    }
}
