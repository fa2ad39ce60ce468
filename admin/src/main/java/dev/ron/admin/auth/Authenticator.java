package dev.ron.admin.auth;

import dev.ron.http.message.RequestHead;

/** Finds out who asks, from memory alone; there is no identity to fall back to. */
public interface Authenticator {

    /** The identity, or a RonException of 401, 403, 421 or 503. */
    Identity identify(RequestHead request);

    /** The word of the mode: none, ingress or passport. */
    String mode();

    /** What keeps it from working, in words; empty where nothing does. */
    default String trouble() {
        return "";
    }
}
