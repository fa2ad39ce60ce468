package dev.ron.edge.pack;

import java.util.Optional;

/** A box in degrees: west, south, east, north. */
public record Bounds(double west, double south, double east, double north) {
    /** All that Web Mercator shows. */
    public static final Bounds WORLD = new Bounds(-180, -85.0511287, 180, 85.0511287);

    public Bounds {
        if (!inside(west, 180) || !inside(east, 180) || !inside(south, 90) || !inside(north, 90)) {
            throw new IllegalArgumentException("bounds " + west + "," + south + "," + east + "," + north
                    + " (expected: longitudes within 180, latitudes within 90 degrees)");
        }
    }

    /** What both share; nothing where that is no box, as for one across the antimeridian. */
    public Optional<Bounds> intersect(Bounds other) {
        double left = Math.max(west, other.west);
        double right = Math.min(east, other.east);
        double bottom = Math.max(south, other.south);
        double top = Math.min(north, other.north);
        return left < right && bottom < top ? Optional.of(new Bounds(left, bottom, right, top)) : Optional.empty();
    }

    /**
     * The box as every client takes it: one across the antimeridian goes around the world, and one without an area, as of
     * a writer that did not know, is none. TileJSON forbids the first, and by either a map shows no tile at all.
     */
    public Optional<Bounds> plain() {
        if (west == east || south >= north) {
            return Optional.empty();
        }
        return Optional.of(west < east ? this : new Bounds(-180, south, 180, north));
    }

    private static boolean inside(double value, double limit) {
        return value >= -limit && value <= limit; // false for NaN
    }
}
