package dev.ron.edge.pack.demo;

import java.util.List;
import java.util.stream.IntStream;

/** A line in the world, closed where it is the outline of something, with the box around it, which tells most tiles at a glance that it is not theirs. */
record Ring(List<Point> points, Point least, Point most) {

    static Ring of(List<Point> points) {
        double minX = Double.POSITIVE_INFINITY;
        double minY = Double.POSITIVE_INFINITY;
        double maxX = Double.NEGATIVE_INFINITY;
        double maxY = Double.NEGATIVE_INFINITY;
        for (Point point : points) {
            minX = Math.min(minX, point.x());
            minY = Math.min(minY, point.y());
            maxX = Math.max(maxX, point.x());
            maxY = Math.max(maxY, point.y());
        }
        return new Ring(List.copyOf(points), new Point(minX, minY), new Point(maxX, maxY));
    }

    /** What of it lies between two meridians, for one that is not all elsewhere. */
    Ring between(double west, double east) {
        if (least.x() >= west && most.x() <= east) {
            return this;
        }
        List<Point> cut = Window.cut(points, p -> p.x() >= west, (a, b) -> Window.atX(a, b, west));
        return of(Window.cut(cut, p -> p.x() <= east, (a, b) -> Window.atX(a, b, east)));
    }

    /** With one point of so many left, and never less than a shape. */
    Ring every(int most) {
        int step = Math.max(1, Math.min(most, points.size() / 48));
        return of(IntStream.range(0, points.size() / step)
                .mapToObj(i -> points.get(i * step))
                .toList());
    }
}
