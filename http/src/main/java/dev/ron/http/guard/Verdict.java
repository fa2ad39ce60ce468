package dev.ron.http.guard;

import dev.ron.kernel.error.RonException;

/** What a guard says to a request. */
public sealed interface Verdict {
    Verdict PASS = new Pass();

    static Verdict refuse(RonException why) {
        return new Refuse(why);
    }

    /** The request goes on. */
    record Pass() implements Verdict {}

    /** The request is answered with this failure's problem. */
    record Refuse(RonException why) implements Verdict {}
}
