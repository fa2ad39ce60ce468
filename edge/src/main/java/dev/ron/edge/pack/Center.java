package dev.ron.edge.pack;

/** Where a map of the pack opens. */
public record Center(double longitude, double latitude, int zoom) {}
