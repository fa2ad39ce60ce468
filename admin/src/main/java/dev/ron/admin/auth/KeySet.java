package dev.ron.admin.auth;

import dev.ron.token.keys.JwkSet;
import java.util.Optional;

/**
 * The issuer's keys as they were fetched last; replaced whole.
 *
 * @param fetchedNanos when they were last confirmed
 * @param trouble what went wrong since; empty where nothing did
 */
public record KeySet(Optional<JwkSet> keys, Optional<String> tag, long fetchedNanos, String trouble) {
    static final KeySet NONE = new KeySet(Optional.empty(), Optional.empty(), 0, "the issuer has not been asked yet");

    KeySet failed(String why) {
        return new KeySet(keys, tag, fetchedNanos, why);
    }

    public int size() {
        return keys.map(set -> set.keys().size()).orElse(0);
    }
}
