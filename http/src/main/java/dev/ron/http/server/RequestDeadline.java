package dev.ron.http.server;

import dev.ron.http.message.Headers;
import dev.ron.kernel.time.Clock;

/** Reads what a caller says about its own patience; it can only shorten what the host allows. */
final class RequestDeadline {
    private static final long MILLI = 1_000_000L;
    private static final int MAX_DIGITS = 15;

    private RequestDeadline() {}

    /** The moment by which the answer must have begun, in the clock's nanoseconds. */
    static long of(Headers headers, Clock clock, long now, long limitNanos) {
        long at = now + limitNanos;
        int timeout = headers.indexOf("Request-Timeout", 0);
        if (timeout >= 0) {
            at = Math.min(at, now + timeout(headers.value(timeout), limitNanos));
        }
        int deadline = headers.indexOf("Deadline", 0);
        if (deadline >= 0) {
            long epochMillis = number(headers.value(deadline), 0);
            if (epochMillis >= 0) {
                long left = epochMillis - clock.now().toEpochMilli();
                at = Math.min(at, now + Math.max(0, Math.min(left, limitNanos / MILLI)) * MILLI);
            }
        }
        return at;
    }

    /** Seconds, or milliseconds where the value ends in {@code ms}; anything else says nothing. */
    private static long timeout(String value, long limitNanos) {
        boolean millis = value.endsWith("ms");
        long number = number(value, millis ? 2 : 0);
        long unit = millis ? MILLI : 1000 * MILLI;
        return number < 0 || number > limitNanos / unit ? limitNanos : number * unit;
    }

    private static long number(String text, int suffix) {
        int end = text.length() - suffix;
        if (end < 1 || end > MAX_DIGITS) {
            return -1;
        }
        long value = 0;
        for (int i = 0; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value;
    }
}
