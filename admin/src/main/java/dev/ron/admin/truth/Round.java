package dev.ron.admin.truth;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * One round of questions to a node.
 *
 * @param at when it ended, on the console's clock
 */
public record Round(Answer healthz, Answer readyz, Answer status, Answer version, Instant at, long atNanos) {

    public List<Answer> all() {
        return List.of(healthz, readyz, status, version);
    }

    public boolean anyReached() {
        // The version is remembered from when it was last asked: it says nothing about now.
        return Stream.of(healthz, readyz, status).anyMatch(Answer::reached);
    }
}
