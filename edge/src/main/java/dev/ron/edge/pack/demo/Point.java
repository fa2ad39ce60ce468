package dev.ron.edge.pack.demo;

/** A place on the square world, both axes from 0 to 1 (Web Mercator, y down), or in a tile's own units. */
record Point(double x, double y) {

    Point towards(Point other, double share) {
        return new Point(x + (other.x - x) * share, y + (other.y - y) * share);
    }

    double distance(Point other) {
        return StrictMath.hypot(x - other.x, y - other.y);
    }
}
