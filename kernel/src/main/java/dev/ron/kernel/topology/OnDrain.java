package dev.ron.kernel.topology;

/** What becomes of queued items when the receiver's stage stops. */
public enum OnDrain {
    /** They are handed back and answered `draining`. */
    HAND_BACK,
    /** The receivers still take them, until the drain deadline. */
    FINISH
}
