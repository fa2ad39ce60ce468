package dev.ron.admin.series;

/** Quantiles of cumulative buckets. */
final class Quantiles {
    private Quantiles() {}

    /**
     * The value at rank {@code q} of the observations, linear inside its bucket; NaN where there are none.
     *
     * <p>The lower edge of the first bucket is 0 where its bound is positive. In the last, open bucket the answer is the
     * highest finite bound: all that can be said.
     *
     * @param bounds the upper bounds, growing; +Inf may be missing
     * @param counts how many observations were at or below each bound
     * @param count observations in all, used where +Inf is missing
     */
    static double of(double q, double[] bounds, double[] counts, double count) {
        int n = bounds.length;
        double total = 0;
        for (int i = 0; i < n; i++) {
            // Each bucket holds those below it; where scrapes were torn it may not, and the larger is right.
            total = Math.max(total, counts[i]);
        }
        boolean open = n == 0 || bounds[n - 1] != Double.POSITIVE_INFINITY;
        total = open ? Math.max(total, count) : total;
        if (!(total > 0)) {
            return Double.NaN;
        }
        double rank = q * total;
        double below = 0;
        double lower = n > 0 && bounds[0] > 0 && Double.isFinite(bounds[0]) ? 0 : Double.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            double bound = bounds[i];
            double upTo = Math.max(below, counts[i]);
            if (upTo >= rank && upTo > below) {
                return inside(lower, bound, rank - below, upTo - below);
            }
            below = upTo;
            lower = bound == Double.POSITIVE_INFINITY ? lower : bound;
        }
        return Double.isInfinite(lower) ? Double.NaN : lower;
    }

    private static double inside(double lower, double bound, double rank, double size) {
        if (bound == Double.POSITIVE_INFINITY) {
            return Double.isInfinite(lower) ? Double.NaN : lower;
        }
        return Double.isInfinite(lower) ? bound : Math.min(bound, lower + (bound - lower) * (rank / size));
    }
}
