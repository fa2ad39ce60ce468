package dev.ron.gateway.auth;

import dev.ron.kernel.error.RonException;

/** The one at the door; hears exactly one of these, on its own loop, perhaps before it has finished asking. */
public interface Entrant {

    void admitted(Pass pass);

    void turnedAway(RonException why);
}
