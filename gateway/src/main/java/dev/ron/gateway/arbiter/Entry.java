package dev.ron.gateway.arbiter;

/** What an arrival gets from the word. */
public enum Entry {
    /** A slot at once: nobody waits and there is room. */
    SLOT,
    /** A seat: counted as waiting. */
    SEAT,
    /** All seats are taken; it may ask whether someone gives way. */
    DOORWAY,
    FULL,
    CLOSED
}
