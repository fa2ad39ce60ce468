package dev.ron.service.lifecycle;

import java.security.SecureRandom;
import java.time.Instant;

/** An id that sorts by time: 48 bits of milliseconds and 80 random bits in Crockford's base 32. */
final class Ulid {
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    private Ulid() {}

    static String next(Instant at) {
        char[] out = new char[26];
        long millis = at.toEpochMilli();
        for (int i = 9; i >= 0; i--) {
            out[i] = DIGITS.charAt((int) (millis & 31));
            millis >>>= 5;
        }
        SecureRandom random = new SecureRandom();
        for (int i = 10; i < out.length; i++) {
            out[i] = DIGITS.charAt(random.nextInt(32));
        }
        return new String(out);
    }
}
