package dev.ron.http.server;

import dev.ron.http.message.Headers;
import org.jspecify.annotations.Nullable;

/** Reads the W3C trace context of a request. */
final class TraceParent {
    private static final int LENGTH = 55;

    private TraceParent() {}

    /** The one well-formed {@code traceparent}; null if there is none. */
    static @Nullable String of(Headers headers) {
        int at = headers.indexOf("traceparent", 0);
        if (at < 0 || headers.indexOf("traceparent", at + 1) >= 0) {
            return null;
        }
        String value = headers.value(at);
        return valid(value) ? value : null;
    }

    private static boolean valid(String value) {
        if (value.length() != LENGTH || !value.startsWith("00-")) {
            return false;
        }
        return hex(value, 3, 35, true) && hex(value, 36, 52, true) && hex(value, 53, 55, false);
    }

    private static boolean hex(String value, int from, int to, boolean notZero) {
        boolean zero = true;
        for (int i = from; i < to; i++) {
            char c = value.charAt(i);
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
            zero &= c == '0';
        }
        boolean ended = to == value.length() || value.charAt(to) == '-';
        return ended && !(notZero && zero);
    }
}
