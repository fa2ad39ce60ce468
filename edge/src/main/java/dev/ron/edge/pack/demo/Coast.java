package dev.ron.edge.pack.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A closed curve around a centre: its radius is a sum of waves, and the world's {@link Warp} bends the result. A point at
 * less than the whole way to it lies inside.
 */
final class Coast {
    private static final int WAVES = 48;
    private static final double FULL = 2 * Math.PI;

    private final Point center;
    private final double radius;
    private final double[] strengths = new double[WAVES];
    private final double[] phases = new double[WAVES];

    Coast(Point center, double radius, double roughness, Random random) {
        this.center = center;
        this.radius = radius;
        for (int k = 0; k < WAVES; k++) {
            // Shorter waves are weaker, about as much as real coasts have it.
            strengths[k] = roughness * (0.4 + random.nextDouble()) / StrictMath.pow(k + 1.0, 1.25);
            phases[k] = random.nextDouble() * FULL;
        }
    }

    double radiusAt(double angle) {
        double sum = 1;
        for (int k = 0; k < WAVES; k++) {
            sum += strengths[k] * StrictMath.cos((k + 1) * angle + phases[k]);
        }
        return radius * Math.max(0.15, sum);
    }

    /** The point at an angle, at a share of the way from the centre to the coast. */
    Point at(double angle, double share) {
        double r = radiusAt(angle) * share;
        return Warp.move(new Point(center.x() + r * StrictMath.cos(angle), center.y() + r * StrictMath.sin(angle)));
    }

    /** A rough answer, in favour of yes. */
    boolean isNear(Point point) {
        return Warp.move(center).distance(point) < 1.6 * radius;
    }

    Ring ring(int points) {
        List<Point> ring = new ArrayList<>(points);
        for (int i = 0; i < points; i++) {
            ring.add(at(FULL * i / points, 1));
        }
        return Ring.of(ring);
    }
}
