package dev.ron.passport.client;

import java.util.Locale;
import java.util.Optional;

/** What a client may ask of the office. */
public enum Right {
    ISSUE,
    VERIFY,
    INTROSPECT,
    REVOKE;

    /** How the scopes begin that open the office itself. */
    public static final String SCOPE = "passport:";

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a token names whose holder may ask for it. */
    public String scope() {
        return SCOPE + word();
    }

    public static Optional<Right> of(String word) {
        for (Right right : values()) {
            if (right.word().equals(word)) {
                return Optional.of(right);
            }
        }
        return Optional.empty();
    }
}
