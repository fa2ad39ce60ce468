package dev.ron.edge.pack.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A line on land with its kind. */
record Road(String kind, Ring line) {

    Road(String kind, List<Point> line) {
        this(kind, Ring.of(line));
    }

    /** The first zoom that shows it. */
    int fromZoom() {
        return switch (kind) {
            case "river" -> 1;
            case "motorway" -> 2;
            case "primary" -> 3;
            default -> 6;
        };
    }

    /** A road that bends a little on its way. */
    static Road between(Place from, Place to, Random random) {
        String kind = Math.max(from.rank(), to.rank()) < 6 ? "motorway" : "primary";
        List<Point> line = new ArrayList<>();
        bend(line, from.at(), to.at(), 5, random);
        line.add(to.at());
        return new Road(kind, line);
    }

    /** Moves the middle aside, then the middles of both halves, and so on. */
    private static void bend(List<Point> line, Point from, Point to, int depth, Random random) {
        if (depth == 0) {
            line.add(from);
            return;
        }
        double aside = (random.nextDouble() - 0.5) * 0.25;
        Point middle = from.towards(to, 0.5);
        Point bent = new Point(middle.x() - (to.y() - from.y()) * aside, middle.y() + (to.x() - from.x()) * aside);
        bend(line, from, bent, depth - 1, random);
        bend(line, bent, to, depth - 1, random);
    }
}
