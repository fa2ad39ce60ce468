package dev.ron.edge.pack.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The geometry of a feature as the commands of the vector tile format, in whole units of the tile. */
final class Shape {
    static final int POINT = 1;
    static final int LINE = 2;
    static final int POLYGON = 3;

    private static final int MOVE_TO = 1;
    private static final int LINE_TO = 2;
    private static final int CLOSE_PATH = 7;

    private final int type;
    private final List<Integer> commands = new ArrayList<>();
    private int x;
    private int y;

    private Shape(int type) {
        this.type = type;
    }

    static Shape point(Point at) {
        Shape shape = new Shape(POINT);
        shape.path(rounded(List.of(at)));
        return shape;
    }

    static Shape lines(List<List<Point>> lines) {
        Shape shape = new Shape(LINE);
        for (List<Point> line : lines) {
            List<int[]> points = rounded(line);
            if (points.size() > 1) {
                shape.path(points);
            }
        }
        return shape;
    }

    /** One ring without holes. */
    static Shape polygon(List<Point> ring) {
        Shape shape = new Shape(POLYGON);
        List<int[]> points = rounded(ring);
        long area = twiceArea(points);
        if (points.size() > 2 && area != 0) {
            if (area < 0) {
                Collections.reverse(points); // an outer ring runs clockwise as seen on the screen
            }
            shape.path(points);
            shape.commands.add(command(CLOSE_PATH, 1));
        }
        return shape;
    }

    int type() {
        return type;
    }

    List<Integer> commands() {
        return commands;
    }

    boolean isEmpty() {
        return commands.isEmpty();
    }

    private void path(List<int[]> points) {
        commands.add(command(MOVE_TO, 1));
        for (int i = 0; i < points.size(); i++) {
            if (i == 1) {
                commands.add(command(LINE_TO, points.size() - 1));
            }
            int[] at = points.get(i);
            commands.add(zigzag(at[0] - x));
            commands.add(zigzag(at[1] - y));
            x = at[0];
            y = at[1];
        }
    }

    private static int command(int id, int count) {
        return id | (count << 3);
    }

    private static int zigzag(int value) {
        return (value << 1) ^ (value >> 31);
    }

    /** Whole units; points that fall together are one. */
    private static List<int[]> rounded(List<Point> points) {
        List<int[]> result = new ArrayList<>();
        for (Point point : points) {
            int px = (int) Math.round(point.x());
            int py = (int) Math.round(point.y());
            if (result.isEmpty() || result.getLast()[0] != px || result.getLast()[1] != py) {
                result.add(new int[] {px, py});
            }
        }
        return result;
    }

    private static long twiceArea(List<int[]> ring) {
        long sum = 0;
        for (int i = 0; i < ring.size(); i++) {
            int[] a = ring.get(i);
            int[] b = ring.get((i + 1) % ring.size());
            sum += (long) a[0] * b[1] - (long) b[0] * a[1];
        }
        return sum;
    }
}
