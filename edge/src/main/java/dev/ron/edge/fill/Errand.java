package dev.ron.edge.fill;

/**
 * What one flight fetches, and under which CDN-Loop: an origin may refuse a request for what that says, so who came without
 * it, or with another, must not share the answer.
 *
 * @param loop as the caller had it; empty where it had none
 */
public record Errand(AssetKey key, String loop) {}
