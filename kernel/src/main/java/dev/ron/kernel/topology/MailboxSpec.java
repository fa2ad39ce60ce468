package dev.ron.kernel.topology;

/** A bounded queue: its name is the {@code queue} label of its metrics. */
public record MailboxSpec(
        String name, int capacity, String from, String to, OnFull onFull, OnDrain onDrain, Stage stage)
        implements Part {

    public MailboxSpec {
        Part.requireName(name);
        if (capacity < 1 || capacity > 1 << 20) {
            throw new IllegalArgumentException(name + ": capacity " + capacity + " (expected: 1.." + (1 << 20) + ")");
        }
    }

    public MailboxSpec from(String sender) {
        return new MailboxSpec(name, capacity, sender, to, onFull, onDrain, stage);
    }

    public MailboxSpec to(String receiver) {
        return new MailboxSpec(name, capacity, from, receiver, onFull, onDrain, stage);
    }

    public MailboxSpec onFull(OnFull policy) {
        return new MailboxSpec(name, capacity, from, to, policy, onDrain, stage);
    }

    public MailboxSpec onDrain(OnDrain policy) {
        return new MailboxSpec(name, capacity, from, to, onFull, policy, stage);
    }

    public MailboxSpec stage(Stage when) {
        return new MailboxSpec(name, capacity, from, to, onFull, onDrain, when);
    }
}
