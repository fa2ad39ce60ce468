package dev.ron.kernel.channel;

/** What became of an item that was offered to a mailbox. */
public enum Sent {
    ACCEPTED,
    FULL,
    CLOSED
}
