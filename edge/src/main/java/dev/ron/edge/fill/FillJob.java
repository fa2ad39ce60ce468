package dev.ron.edge.fill;

import java.util.Optional;

/**
 * A fetch that waits for a worker.
 *
 * @param before what is there already, stale
 * @param purges how many purges there had been when {@code before} was looked up
 * @param loop the CDN-Loop the request came with
 */
public record FillJob(AssetKey key, Flight<Filled> flight, Optional<Stored> before, long purges, String loop) {}
