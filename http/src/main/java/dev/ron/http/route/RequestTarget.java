package dev.ron.http.route;

/**
 * The request target of one request line, split into its parts, the path in normal form.
 *
 * @param authority host and port of an absolute-form target, as sent; empty for origin-form
 * @param path the normal path, or {@code *} for the asterisk-form
 * @param query what stands after the question mark, as sent; empty if there is none
 */
public record RequestTarget(String authority, String path, String query) {

    /** Parses origin-form, absolute-form (http and https) and {@code *}; anything else is a {@link BadTarget}. */
    public static RequestTarget parse(String target) {
        if (target.startsWith("/")) {
            return split("", target, 0);
        }
        if (target.equals("*")) {
            return new RequestTarget("", "*", "");
        }
        int start = schemeLength(target);
        int end = start;
        while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        String authority = target.substring(start, end);
        if (authority.isEmpty() || authority.indexOf('@') >= 0) {
            throw new BadTarget("absolute target without a plain authority");
        }
        return split(authority, target, end);
    }

    private static int schemeLength(String target) {
        if (target.regionMatches(true, 0, "http://", 0, 7)) {
            return 7;
        }
        if (target.regionMatches(true, 0, "https://", 0, 8)) {
            return 8;
        }
        throw new BadTarget("target is neither a path nor an http address");
    }

    private static RequestTarget split(String authority, String target, int start) {
        int mark = target.indexOf('?', start);
        int end = mark < 0 ? target.length() : mark;
        String query = mark < 0 ? "" : target.substring(mark + 1);
        checkQuery(query);
        // A path that starts at 0 and ends at the end is not copied: the usual request costs no new string.
        String path = end == start ? "/" : target.substring(start, end);
        return new RequestTarget(authority, NormalPath.of(path), query);
    }

    private static void checkQuery(String query) {
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            if (c <= 0x20 || c >= 0x7F || c == '#') {
                throw new BadTarget("query holds a character that must be escaped");
            }
        }
    }

    /** Path and query as they are forwarded. */
    public String pathAndQuery() {
        return query.isEmpty() ? path : path + '?' + query;
    }
}
