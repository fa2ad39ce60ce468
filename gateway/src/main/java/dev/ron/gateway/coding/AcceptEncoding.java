package dev.ron.gateway.coding;

import dev.ron.http.message.Headers;
import java.util.Locale;

/** Reads what codings a caller takes. */
final class AcceptEncoding {
    private static final double NOT_NAMED = -1;

    private AcceptEncoding() {}

    /** Whether gzip is welcome, and no less than the plain form; who says nothing asks for nothing. */
    static boolean gzip(Headers asked) {
        double gzip = NOT_NAMED;
        double any = NOT_NAMED;
        double plain = NOT_NAMED;
        for (String line : asked.all("Accept-Encoding")) {
            for (String item : line.split(",", -1)) {
                String[] parts = item.split(";", -1);
                double weight = weight(parts);
                switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
                    case "gzip", "x-gzip" -> gzip = weight;
                    case "*" -> any = weight;
                    case "identity" -> plain = weight;
                    default -> {}
                }
            }
        }
        double wanted = gzip == NOT_NAMED ? any : gzip;
        return wanted > 0 && wanted >= plain;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip().toLowerCase(Locale.ROOT);
            if (part.startsWith("q=")) {
                try {
                    return Double.parseDouble(part.substring(2));
                } catch (NumberFormatException _) {
                    return 0; // not understood: better left alone
                }
            }
        }
        return 1;
    }
}
