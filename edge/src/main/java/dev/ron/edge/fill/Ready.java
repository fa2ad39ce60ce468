package dev.ron.edge.fill;

import dev.ron.http.server.Exchange;

/**
 * An object that was brought this moment, held for those who waited for it: none of them needs a permit or the disk, and
 * a thousand are answered like one.
 */
public interface Ready {
    /** Takes one more hold; false if the object is no longer held by anyone. */
    boolean hold();

    /** Answers with it, which uses up one hold; event loop only. */
    void send(Exchange exchange, String status);

    /** Gives a hold back. */
    void release();
}
