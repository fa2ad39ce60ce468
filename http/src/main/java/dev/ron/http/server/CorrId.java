package dev.ron.http.server;

import dev.ron.http.message.Headers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The correlation id of a request: the caller's where it is well-formed, else a new ULID.
 *
 * <p>A new one is two numbers until someone reads it: most answers write it straight into their head.
 */
final class CorrId {
    static final int MAX_LENGTH = 64;

    private static final int MIN_LENGTH = 16;
    private static final int ULID_LENGTH = 26;
    private static final byte[] BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".getBytes(StandardCharsets.US_ASCII);

    private final long high; // 48 bits of time, 16 random
    private final long low; // 64 random
    private @Nullable String text;

    private CorrId(long high, long low, @Nullable String text) {
        this.high = high;
        this.low = low;
        this.text = text;
    }

    static CorrId of(Headers headers, CorrIds source, long now) {
        int at = headers.indexOf("X-Corr-ID", 0);
        if (at < 0) {
            at = headers.indexOf("X-Request-Id", 0);
        }
        if (at >= 0) {
            String given = headers.value(at);
            if (wellFormed(given)) {
                return new CorrId(0, 0, given);
            }
        }
        return source.next(now);
    }

    static CorrId fresh(long millis, long randomHigh, long randomLow) {
        return new CorrId(millis << 16 | (randomHigh & 0xFFFF), randomLow, null);
    }

    private static boolean wellFormed(String id) {
        if (id.length() < MIN_LENGTH || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean good = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '.'
                    || c == '_'
                    || c == '-';
            if (!good) {
                return false;
            }
        }
        return true;
    }

    /** Writes the id; returns where it ends. */
    @SuppressWarnings("deprecation") // the id is ASCII, and this copy needs no encoder
    int write(byte[] to, int at) {
        String known = text;
        if (known != null) {
            known.getBytes(0, known.length(), to, at);
            return at + known.length();
        }
        // 128 bits, five at a time from the low end: twelve digits from the low half, one across, the rest above.
        int place = at + ULID_LENGTH - 1;
        long bits = low;
        for (int i = 0; i < 12; i++) {
            to[place--] = BASE32[(int) (bits & 31)];
            bits >>>= 5;
        }
        to[place--] = BASE32[(int) (bits | (high & 1) << 4)];
        bits = high >>> 1;
        while (place >= at) {
            to[place--] = BASE32[(int) (bits & 31)];
            bits >>>= 5;
        }
        return at + ULID_LENGTH;
    }

    @Override
    public String toString() {
        String known = text;
        if (known == null) {
            byte[] bytes = new byte[ULID_LENGTH];
            write(bytes, 0);
            known = new String(bytes, StandardCharsets.US_ASCII);
            text = known;
        }
        return known;
    }
}
