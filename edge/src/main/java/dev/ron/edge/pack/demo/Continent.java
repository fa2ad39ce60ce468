package dev.ron.edge.pack.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Land with its relief, lakes, rivers, places and roads, all from one seed. */
record Continent(Relief relief, List<Ring> lakes, List<Road> rivers, List<Place> places, List<Road> roads) {
    private static final int RIVERS = 9;
    private static final int BENDS = 48;
    private static final int LAKES = 3;
    private static final int PLACES = 26;
    private static final int STREETS = 4;

    static Continent grow(Point center, double radius, int points, Names names, Random random) {
        Coast coast = new Coast(center, radius, 0.3, random);
        List<Coast> lakes = new ArrayList<>();
        for (int i = 0; i < LAKES; i++) {
            Point at = coast.at(random.nextDouble() * 2 * Math.PI, 0.25 + 0.35 * random.nextDouble());
            lakes.add(new Coast(at, radius * (0.04 + 0.05 * random.nextDouble()), 0.25, random));
        }
        List<Place> places = new ArrayList<>();
        while (places.size() < PLACES) {
            Point at = coast.at(random.nextDouble() * 2 * Math.PI, StrictMath.sqrt(random.nextDouble()) * 0.9);
            boolean free = lakes.stream().noneMatch(lake -> lake.isNear(at))
                    && places.stream().allMatch(other -> other.at().distance(at) > radius / 12);
            if (free) {
                places.add(new Place(names.next(), at, places.size()));
            }
        }
        List<Road> roads = new ArrayList<>();
        connect(places, roads, random);
        places.stream().filter(place -> place.rank() < 6).forEach(town -> streets(town, radius / 60, roads));
        return new Continent(
                Relief.of(coast, points, random),
                lakes.stream().map(lake -> lake.ring(points / 8)).toList(),
                rivers(coast, random),
                places,
                roads);
    }

    /** From the mountains to the sea, in bends that grow. */
    private static List<Road> rivers(Coast coast, Random random) {
        List<Road> rivers = new ArrayList<>();
        for (int i = 0; i < RIVERS; i++) {
            double angle = 2 * Math.PI * (i + 0.7 * random.nextDouble()) / RIVERS;
            double phase = random.nextDouble() * 2 * Math.PI;
            double source = 0.22 + 0.3 * random.nextDouble();
            List<Point> line = new ArrayList<>();
            for (int k = 0; k <= BENDS; k++) {
                double way = (double) k / BENDS;
                double bend = 0.10 * way * StrictMath.sin(phase + 7 * way) + 0.03 * StrictMath.sin(phase + 23 * way);
                line.add(coast.at(angle + bend, source + (1 - source) * way));
            }
            rivers.add(new Road("river", line));
        }
        return rivers;
    }

    /** Each place gets a road to the nearest larger one: a tree that reaches all of them. */
    private static void connect(List<Place> places, List<Road> roads, Random random) {
        for (int i = 1; i < places.size(); i++) {
            Place place = places.get(i);
            Place nearest = places.getFirst();
            for (Place larger : places.subList(0, i)) {
                if (larger.at().distance(place.at()) < nearest.at().distance(place.at())) {
                    nearest = larger;
                }
            }
            roads.add(Road.between(nearest, place, random));
        }
    }

    /** A grid of streets. */
    private static void streets(Place town, double half, List<Road> roads) {
        for (int i = -STREETS; i <= STREETS; i++) {
            double aside = half * i / STREETS;
            double x = town.at().x();
            double y = town.at().y();
            roads.add(new Road("street", List.of(new Point(x + aside, y - half), new Point(x + aside, y + half))));
            roads.add(new Road("street", List.of(new Point(x - half, y + aside), new Point(x + half, y + aside))));
        }
    }
}
