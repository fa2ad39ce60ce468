package dev.ron.passport.client;

import java.util.Locale;
import java.util.Optional;

/** What a client may ask of the office. */
public enum Right {
    ISSUE,
    VERIFY,
    INTROSPECT,
    REVOKE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
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
