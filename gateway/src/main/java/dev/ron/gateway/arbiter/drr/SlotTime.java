package dev.ron.gateway.arbiter.drr;

/** A moving average of how long a slot is held, in microseconds, never below one. */
final class SlotTime {
    private final int span;
    private long micros;

    /** An average in which {@code span} new samples replace the old value. */
    SlotTime(long firstGuess, int span) {
        this.span = span;
        this.micros = Math.max(1, firstGuess);
    }

    long micros() {
        return micros;
    }

    void learn(long mean, long samples) {
        micros = Math.max(1, micros + (mean - micros) * Math.min(samples, span) / span);
    }
}
