package dev.ron.edge.pack.demo;

/** Moves every point of the world a little, near ones alike: what was round becomes bays, capes and crooked valleys. */
final class Warp {
    private static final int OCTAVES = 5;
    private static final double REACH = 0.024;
    private static final double FIRST = 5;
    private static final double FINER = 2.2;
    private static final double WEAKER = 0.45;

    private Warp() {}

    static Point move(Point point) {
        double dx = 0;
        double dy = 0;
        double scale = FIRST;
        double reach = REACH;
        for (int k = 0; k < OCTAVES; k++) {
            dx += reach * noise(point.x() * scale, point.y() * scale, 2 * k);
            dy += reach * noise(point.x() * scale, point.y() * scale, 2 * k + 1);
            scale *= FINER;
            reach *= WEAKER;
        }
        return new Point(point.x() + dx, point.y() + dy);
    }

    /** Random numbers at the corners of a grid, and a smooth way from one to the next; from -1 to 1. */
    private static double noise(double x, double y, int seed) {
        int column = (int) Math.floor(x);
        int row = (int) Math.floor(y);
        double u = smooth(x - column);
        double v = smooth(y - row);
        double top = mix(corner(column, row, seed), corner(column + 1, row, seed), u);
        double bottom = mix(corner(column, row + 1, seed), corner(column + 1, row + 1, seed), u);
        return mix(top, bottom, v);
    }

    private static double smooth(double t) {
        return t * t * (3 - 2 * t);
    }

    private static double mix(double a, double b, double share) {
        return a + (b - a) * share;
    }

    private static double corner(int column, int row, int seed) {
        long h = column * 0x9E3779B97F4A7C15L ^ row * 0xC2B2AE3D27D4EB4FL ^ seed * 0x165667B19E3779F9L;
        h = (h ^ (h >>> 31)) * 0xBF58476D1CE4E5B9L;
        h = (h ^ (h >>> 29)) * 0x94D049BB133111EBL;
        return (h >>> 11) / (double) (1L << 52) - 1;
    }
}
