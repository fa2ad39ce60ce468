package dev.ron.edge.pack;

import java.util.List;

/**
 * What a look at everything a pack addresses has found.
 *
 * @param complete false where the look was broken off
 * @param problems what is odd but does no harm to readers; what does is a {@link PackError} instead
 */
public record PackSurvey(long tiles, boolean complete, List<String> problems) {
    public PackSurvey {
        problems = List.copyOf(problems);
    }
}
