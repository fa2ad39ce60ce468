package dev.ron.kernel.topology;

/** What a mailbox does with an item for which there is no room. */
public enum OnFull {
    /** The sender is told, at once. */
    REJECT_NEW,
    /** The oldest item makes room and is handed back to be answered. */
    DROP_OLDEST
}
