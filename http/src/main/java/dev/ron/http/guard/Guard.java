package dev.ron.http.guard;

import dev.ron.http.message.RequestHead;

/**
 * One check of the admission chain; runs on the event loop once the head is complete and a route was found.
 *
 * <p>A guard that holds something for an admitted request gives it back in {@link #leave}, which is called exactly once
 * for every {@link Verdict#PASS}, when the answer is complete or the caller is gone.
 */
public interface Guard {

    Verdict admit(RequestHead request);

    default void leave() {}
}
