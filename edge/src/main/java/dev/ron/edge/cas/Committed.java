package dev.ron.edge.cas;

import dev.ron.edge.digest.Digest;

/** What became of a staged object; {@code duplicate} if its bytes were there already. */
public record Committed(Digest digest, long size, boolean duplicate) {}
