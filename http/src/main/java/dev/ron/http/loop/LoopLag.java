package dev.ron.http.loop;

/**
 * How late one event loop is, in nanoseconds.
 *
 * @param now how late its tick is at this moment: grows while the loop is stuck
 * @param worst the latest tick since the start
 */
public record LoopLag(String loop, long now, long worst) {}
