package dev.ron.service.config;

/** What it takes for a changed key to act. */
public enum Change {
    /** The running service reads the new value. */
    HOT,
    /** A listener is opened anew; requests in flight are kept. */
    REBIND,
    /** Only a new process can take it: a reload that touches such a key is refused whole. */
    RESTART
}
