package dev.ron.edge.range;

import java.time.Instant;
import java.util.Optional;

/** What would be sent whole: its length in bytes after content coding, its tag, and when it changed, if that is known. */
public record Representation(long length, EntityTag tag, Optional<Instant> lastModified) {

    public Representation {
        lastModified = lastModified.map(HttpDate::seconds);
    }
}
