package dev.ron.admin.truth;

import java.util.Locale;

/** How a call to a node failed. */
public enum Fault {
    CONNECT("connection refused or not possible"),
    DNS("its name has no address"),
    TLS("TLS handshake failed"),
    TIMEOUT("no whole answer in time"),
    RESET("connection ended before the answer was whole"),
    PARSE("answer cannot be read"),
    TOO_LARGE("answer is too large"),
    STATUS("unexpected status"),
    REDIRECT("answered with a redirect, which is not followed"),
    DENIED("the node refuses the console's credential"),
    FORBIDDEN_ADDRESS("its address may not be called"),
    CANCELED("stopped");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String words() {
        return words;
    }

    /** Whether another try may end better. */
    public boolean transientFault() {
        return this == CONNECT || this == TIMEOUT || this == RESET || this == DNS;
    }
}
