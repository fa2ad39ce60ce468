package dev.ron.edge.pack.demo;

import java.util.List;
import java.util.stream.IntStream;

/** A closed line in the world with the box around it, which tells most tiles at a glance that it is not theirs. */
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

    /** With one point of so many left. */
    Ring every(int step) {
        return of(IntStream.range(0, points.size() / step)
                .mapToObj(i -> points.get(i * step))
                .toList());
    }
}
