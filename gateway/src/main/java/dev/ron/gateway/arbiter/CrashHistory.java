package dev.ron.gateway.arbiter;

import java.util.Arrays;

/** Says when failures are too many to go on the same way: five within a minute. */
final class CrashHistory {
    private static final int TOO_MANY = 5;
    private static final long WITHIN_MICROS = 60_000_000;

    private final long[] last = new long[TOO_MANY];
    private int count;

    CrashHistory() {
        Arrays.fill(last, Long.MIN_VALUE / 2);
    }

    int count() {
        return count;
    }

    /** Notes a failure; true when it is one too many. */
    boolean add(long now) {
        last[count % TOO_MANY] = now;
        count++;
        return now - Arrays.stream(last).min().orElse(now) <= WITHIN_MICROS;
    }
}
