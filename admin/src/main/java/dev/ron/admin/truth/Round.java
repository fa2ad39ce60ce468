package dev.ron.admin.truth;

import java.time.Instant;
import java.util.List;

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
        return all().stream().anyMatch(Answer::reached);
    }
}
