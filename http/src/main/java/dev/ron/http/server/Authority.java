package dev.ron.http.server;

import java.util.Locale;

/** Host and port as they stand in a Host field. */
final class Authority {
    private static final int MAX_LENGTH = 255 + 6;

    private Authority() {}

    /** A registered name, an IPv4 or a bracketed IPv6 address, and perhaps a port; no user, no empty name. */
    static boolean valid(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return false;
        }
        int end = text.charAt(0) == '[' ? bracketed(text) : name(text);
        return end > 0 && port(text, end);
    }

    private static int name(String text) {
        int i = 0;
        while (i < text.length() && nameCharacter(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static boolean nameCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '-'
                || c == '_';
    }

    private static int bracketed(String text) {
        int end = text.indexOf(']');
        for (int i = 1; i < end; i++) {
            char c = text.charAt(i);
            if (Character.digit(c, 16) < 0 && c != ':' && c != '.') {
                return -1;
            }
        }
        return end > 1 ? end + 1 : -1;
    }

    private static boolean port(String text, int from) {
        if (from == text.length()) {
            return true;
        }
        if (text.charAt(from) != ':' || text.length() - from > 6) {
            return false;
        }
        for (int i = from + 1; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** The host without its port, in lower case. */
    static String host(String authority) {
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        return (hasPort ? authority.substring(0, colon) : authority).toLowerCase(Locale.ROOT);
    }
}
