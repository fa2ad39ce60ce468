package dev.ron.edge.config;

import java.util.regex.Pattern;

/** What a Cache-Control may hold: RFC 9111, 5.2, so that it can be sent as it is. */
final class Directives {
    private static final String TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
    private static final String ONE = TOKEN + "(?:=(?:" + TOKEN + "|\"[ !#-\\[\\]-~]*\"))?";
    private static final Pattern LIST = Pattern.compile(ONE + "(?: *, *" + ONE + ")*");

    private Directives() {}

    static boolean areValid(String text) {
        return LIST.matcher(text).matches();
    }
}
