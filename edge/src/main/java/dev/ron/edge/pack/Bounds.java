package dev.ron.edge.pack;

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

    private static boolean inside(double value, double limit) {
        return value >= -limit && value <= limit; // false for NaN
    }
}
