package dev.ron.edge.pack.pmtiles;

import java.util.List;

/**
 * What a walk over all directories found. Broken directories end the walk with a typed error; what is listed here is a
 * header that says other things than the directories, which does no harm to readers.
 */
public record WalkReport(
        long directories,
        long entries,
        long addressedTiles,
        int minZoom,
        int maxZoom,
        boolean complete,
        List<String> problems) {

    public WalkReport {
        problems = List.copyOf(problems);
    }
}
