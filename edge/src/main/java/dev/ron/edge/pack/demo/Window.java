package dev.ron.edge.pack.demo;

import dev.ron.edge.pack.TileCoord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** What of the world a tile shows, with a margin so that lines do not end at its edge. */
final class Window {
    private static final double MARGIN = 64;
    private static final double MIN = -MARGIN;
    private static final double MAX = Layer.EXTENT + MARGIN;

    private final TileCoord tile;

    Window(TileCoord tile) {
        this.tile = tile;
    }

    /** From the world to the tile's units. */
    Point local(Point world) {
        double scale = (1L << tile.z()) * (double) Layer.EXTENT;
        return new Point(
                world.x() * scale - (double) tile.x() * Layer.EXTENT,
                world.y() * scale - (double) tile.y() * Layer.EXTENT);
    }

    boolean contains(Point local) {
        return local.x() >= 0 && local.x() < Layer.EXTENT && local.y() >= 0 && local.y() < Layer.EXTENT;
    }

    /** All of the window. */
    static List<Point> everything() {
        return List.of(new Point(MIN, MIN), new Point(MAX, MIN), new Point(MAX, MAX), new Point(MIN, MAX));
    }

    /** Cuts a ring to the window, edge by edge (Sutherland and Hodgman). */
    List<Point> cut(Ring world) {
        if (misses(local(world.least()), local(world.most()))) {
            return List.of();
        }
        List<Point> ring = world.points().stream().map(this::local).toList();
        ring = cut(ring, p -> p.x() >= MIN, (a, b) -> atX(a, b, MIN));
        ring = cut(ring, p -> p.x() <= MAX, (a, b) -> atX(a, b, MAX));
        ring = cut(ring, p -> p.y() >= MIN, (a, b) -> atY(a, b, MIN));
        return cut(ring, p -> p.y() <= MAX, (a, b) -> atY(a, b, MAX));
    }

    static List<Point> cut(List<Point> ring, Predicate<Point> inside, BiFunction<Point, Point, Point> crossing) {
        List<Point> result = new ArrayList<>();
        for (int i = 0; i < ring.size(); i++) {
            Point from = ring.get(i);
            Point to = ring.get((i + 1) % ring.size());
            if (inside.test(from)) {
                result.add(from);
            }
            if (inside.test(from) != inside.test(to)) {
                result.add(crossing.apply(from, to));
            }
        }
        return result;
    }

    static Point atX(Point a, Point b, double x) {
        return new Point(x, a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()));
    }

    private static Point atY(Point a, Point b, double y) {
        return new Point(a.x() + (b.x() - a.x()) * (y - a.y()) / (b.y() - a.y()), y);
    }

    /** The pieces of a line that pass near the window; whole segments, the client clips the rest. */
    List<List<Point>> line(Ring line) {
        if (misses(local(line.least()), local(line.most()))) {
            return List.of();
        }
        List<Point> world = line.points();
        List<List<Point>> pieces = new ArrayList<>();
        List<Point> piece = new ArrayList<>();
        for (int i = 1; i < world.size(); i++) {
            Point from = local(world.get(i - 1));
            Point to = local(world.get(i));
            if (misses(from, to)) {
                pieces.add(piece);
                piece = new ArrayList<>();
            } else {
                if (piece.isEmpty()) {
                    piece.add(from);
                }
                piece.add(to);
            }
        }
        pieces.add(piece);
        return pieces.stream().filter(p -> p.size() > 1).toList();
    }

    private static boolean misses(Point a, Point b) {
        return Math.max(a.x(), b.x()) < MIN
                || Math.min(a.x(), b.x()) > MAX
                || Math.max(a.y(), b.y()) < MIN
                || Math.min(a.y(), b.y()) > MAX;
    }
}
