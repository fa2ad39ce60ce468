package dev.ron.http.server;

import java.net.InetAddress;

/** A connection as its host sees it; used on its loop only. */
interface Served {

    /** The host is about to stop: tells the caller to go elsewhere, where the protocol has a word for that. */
    default void announceLeave() {}

    /** The host stops: a connection without a request goes at once, the others with their answer. */
    void drain();

    /** No request is in hand any more: what has sent half a head will not be waited for. */
    void finish();

    /** Ends the connection now. */
    void cut();

    /** Does what is due. */
    void check();

    /** The next moment at which something may be due. */
    long nextMoment();

    boolean isOver();

    /** Since when it has nothing in hand and may be asked to go; {@link Turn#NEVER} while it has. */
    default long idleSince() {
        return Turn.NEVER;
    }

    /** The address that its place is counted under. */
    InetAddress source();
}
