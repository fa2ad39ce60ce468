package dev.ron.edge.pack.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** How high the land is and how deep the sea around it: nested areas, each with its class, the widest first. */
record Relief(List<Area> sea, List<Area> land) {

    /** An area and what it is called. */
    record Area(String kind, Ring outline) {
        Area every(int step) {
            return new Area(kind, outline.every(step));
        }
    }

    static Relief of(Coast coast, int points, Random random) {
        List<Area> sea = List.of(
                new Area("shelf", contour(coast, 1.34, points / 2, random)),
                new Area("shallow", contour(coast, 1.13, points / 2, random)));
        List<Area> land = new ArrayList<>();
        land.add(new Area("land", coast.ring(points)));
        land.add(new Area("hills", contour(coast, 0.70, points / 2, random)));
        land.add(new Area("upland", contour(coast, 0.50, points / 2, random)));
        land.add(new Area("mountain", contour(coast, 0.31, points / 2, random)));
        land.add(new Area("snow", contour(coast, 0.14, points / 4, random)));
        return new Relief(sea, land);
    }

    /** A line at about this share of the way to the coast, nearer here and farther there. */
    private static Ring contour(Coast coast, double share, int points, Random random) {
        Coast shape = new Coast(new Point(0, 0), 1, 0.16, random);
        List<Point> ring = new ArrayList<>(points);
        for (int i = 0; i < points; i++) {
            double angle = 2 * Math.PI * i / points;
            ring.add(coast.at(angle, share * shape.radiusAt(angle)));
        }
        return Ring.of(ring);
    }

    Relief every(int step) {
        return new Relief(
                sea.stream().map(area -> area.every(step)).toList(),
                land.stream().map(area -> area.every(step)).toList());
    }
}
