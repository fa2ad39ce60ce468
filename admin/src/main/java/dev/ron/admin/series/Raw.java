package dev.ron.admin.series;

import java.util.function.ObjDoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One series as the node writes it, and where its numbers go.
 *
 * <p>Increases are taken here, before anything is added up: a series that comes, goes or starts over cannot make a sum
 * look like a reset.
 */
final class Raw {
    private static final double NOISE = 1e-9;

    private final long series;
    private final boolean counter;
    private final @Nullable ObjDoubleConsumer<Long> to; // gets the tick and the number; null where nobody wants it
    private double previous = Double.NaN;
    private double current = Double.NaN;
    private long tick = -1;
    private long before = -1;

    Raw(long series, boolean counter, @Nullable ObjDoubleConsumer<Long> to) {
        this.series = series;
        this.counter = counter;
        this.to = to;
    }

    long series() {
        return series;
    }

    /** Notes the value of this scrape; false where the scrape has had one already, which it replaces. */
    boolean note(double value, long now) {
        boolean first = tick != now;
        if (first) {
            previous = current;
            before = tick;
            tick = now;
        }
        current = value;
        return first;
    }

    /** Hands the number of this scrape on; true where the counter has started over. */
    boolean settle(boolean restarted, boolean contiguous) {
        if (to == null) {
            return false;
        }
        if (!counter) {
            to.accept(tick, Double.isInfinite(current) ? Double.NaN : current);
            return false;
        }
        if (!(current >= 0) || Double.isInfinite(current)) {
            // Not a count: as if the series had not been there.
            current = Double.NaN;
            to.accept(tick, Double.NaN);
            return false;
        }
        boolean known = contiguous && before == tick - 1 && !Double.isNaN(previous);
        if (!known) {
            to.accept(tick, Double.NaN);
            return false;
        }
        boolean fell = current < previous;
        boolean reset = restarted || (fell && previous - current > NOISE * previous);
        to.accept(tick, reset ? current : fell ? 0 : current - previous);
        return reset;
    }

    double current() {
        return current;
    }

    long tick() {
        return tick;
    }
}
