package dev.ron.token.caveat;

import dev.ron.token.Reason;
import dev.ron.token.Refused;

/** A path a token is limited to, with everything below it. */
public record PathPrefix(String value) {
    public static final int MAX_LENGTH = 256;

    public static PathPrefix of(String value) throws Refused {
        if (value.length() > MAX_LENGTH) {
            throw new Refused(Reason.MALFORMED, "path caveat has " + value.length() + " characters (at most 256)");
        }
        if (!PlainPath.isPlain(value)) {
            throw new Refused(
                    Reason.MALFORMED, "path caveat must start with / and have no dot segment, // or encoded slash");
        }
        return new PathPrefix(value);
    }

    /** True for the path itself and what lies below it: {@code /o} covers {@code /o} and {@code /o/x}, not {@code /ob}. */
    public boolean covers(String path) {
        return path.startsWith(value)
                && (path.length() == value.length() || value.endsWith("/") || path.charAt(value.length()) == '/');
    }
}
