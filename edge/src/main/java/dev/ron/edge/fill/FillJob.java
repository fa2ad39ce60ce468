package dev.ron.edge.fill;

import java.util.Optional;

/**
 * A fetch that waits for a worker.
 *
 * @param before what is there already, stale
 * @param purges how many purges there had been when {@code before} was looked up
 */
public record FillJob(Errand errand, Flight<Filled> flight, Optional<Stored> before, long purges) {
    AssetKey key() {
        return errand.key();
    }
}
