package dev.ron.admin.auth;

import java.util.Locale;
import java.util.Optional;

/** What a person may do; each role includes those before it. */
public enum Role {
    VIEWER,
    OPERATOR,
    ADMIN;

    /** The role of a word; {@code ops} is another word for operator. */
    public static Optional<Role> of(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "viewer" -> Optional.of(VIEWER);
            case "operator", "ops" -> Optional.of(OPERATOR);
            case "admin" -> Optional.of(ADMIN);
            default -> Optional.empty();
        };
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }
}
