package dev.ron.admin.sample;

import dev.ron.admin.truth.Round;
import dev.ron.admin.truth.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a node's status; replaced whole by its sampler.
 *
 * @param round the last round; null before the first
 * @param verdict what that round says, were it asked now
 * @param replaced how often another process was found behind the address
 */
public record Observed(@Nullable Round round, @Nullable Verdict verdict, int replaced) {
    static final Observed NOTHING = new Observed(null, null, 0);
}
