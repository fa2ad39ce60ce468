package dev.ron.edge.serve;

import dev.ron.edge.range.Conditions;
import dev.ron.http.message.Headers;
import java.util.List;
import java.util.Optional;

/** What a request asks of a representation, read from its fields. */
final class Asked {
    private static final int IF_NONE_MATCH = 13; // by their lengths
    private static final int IF_MODIFIED_SINCE = 17;

    private Asked() {}

    /** Whether a request has any condition or range; told in one look at its fields. */
    static boolean anything(Headers headers) {
        for (int i = 0; i < headers.size(); i++) {
            if (isCondition(headers, i)) {
                return true;
            }
        }
        return false;
    }

    /** The place of If-None-Match where nothing else decides: a date beside it does not count; -1 otherwise. */
    static int onlyNoneMatch(Headers headers) {
        int found = -1;
        for (int i = 0; i < headers.size(); i++) {
            if (isCondition(headers, i) && headers.nameLength(i) != IF_MODIFIED_SINCE) {
                if (found >= 0 || headers.nameLength(i) != IF_NONE_MATCH) {
                    return -1;
                }
                found = i;
            }
        }
        return found >= 0 && headers.indexOf("If-None-Match", found) == found ? found : -1;
    }

    static Conditions of(Headers headers) {
        return Conditions.from(name -> joined(headers, name));
    }

    /** By length and first letters; a field that only looks like one costs the long way, nothing else. */
    private static boolean isCondition(Headers headers, int i) {
        return switch (headers.nameLength(i)) {
            case 5 -> headers.nameAt(i, 0) == 'r' && headers.nameAt(i, 1) == 'a';
            case 8, IF_NONE_MATCH, IF_MODIFIED_SINCE, 19 -> headers.nameAt(i, 0) == 'i' && headers.nameAt(i, 2) == '-';
            default -> false;
        };
    }

    private static Optional<String> joined(Headers headers, String name) {
        List<String> lines = headers.all(name);
        return lines.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", lines));
    }

    /** Whether a coding may be sent: named, or covered by a star, and not with weight zero (RFC 9110, 12.5.3). */
    static boolean accepts(Headers headers, String coding) {
        boolean star = false;
        for (int i = headers.indexOf("Accept-Encoding", 0); i >= 0; i = headers.indexOf("Accept-Encoding", i + 1)) {
            for (String item : headers.value(i).split(",", -1)) {
                int semicolon = item.indexOf(';');
                String name = (semicolon < 0 ? item : item.substring(0, semicolon)).strip();
                boolean wanted = semicolon < 0 || !isZero(item.substring(semicolon + 1));
                if (name.equalsIgnoreCase(coding) || (coding.equals("gzip") && name.equalsIgnoreCase("x-gzip"))) {
                    return wanted;
                }
                star |= name.equals("*") && wanted;
            }
        }
        return star;
    }

    private static boolean isZero(String parameter) {
        String text = parameter.strip();
        return text.matches("[qQ]\\s*=\\s*0(\\.0{0,3})?");
    }
}
