package dev.ron.edge.pack;

/** Web Mercator: where the edges of tiles lie in degrees, and back. */
public final class Mercator {
    private Mercator() {}

    /** The longitude of a column's western edge; fractions of a column are allowed. */
    public static double longitude(int zoom, double column) {
        return column / (1L << zoom) * 360 - 180;
    }

    /** The latitude of a row's northern edge. */
    public static double latitude(int zoom, double row) {
        double n = Math.PI * (1 - 2 * row / (1L << zoom));
        return Math.toDegrees(Math.atan(Math.sinh(n)));
    }

    /** The column of a longitude, with its fraction. */
    public static double column(int zoom, double longitude) {
        return (longitude + 180) / 360 * (1L << zoom);
    }

    /** The row of a latitude, with its fraction. */
    public static double row(int zoom, double latitude) {
        double radians = Math.toRadians(Math.max(Bounds.WORLD.south(), Math.min(Bounds.WORLD.north(), latitude)));
        return (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2 * (1L << zoom);
    }

    /** True if the tile and the box share more than an edge. */
    public static boolean overlaps(TileCoord tile, Bounds box) {
        return longitude(tile.z(), tile.x()) < box.east()
                && longitude(tile.z(), tile.x() + 1.0) > box.west()
                && latitude(tile.z(), tile.y()) > box.south()
                && latitude(tile.z(), tile.y() + 1.0) < box.north();
    }
}
