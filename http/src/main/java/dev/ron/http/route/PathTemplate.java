package dev.ron.http.route;

import java.util.ArrayList;
import java.util.List;

/**
 * A route's path: {@code /exact}, {@code /seg/{name}/rest} or {@code /prefix/**}.
 *
 * <p>A name stands for one whole non-empty segment without parameters ({@code ;}). {@code /prefix/**} stands for
 * {@code /prefix} and everything below it.
 */
public final class PathTemplate {
    private final String text;
    private final List<Segment> segments;
    private final String[] names;
    private final boolean rest;

    private PathTemplate(String text, List<Segment> segments, String[] names, boolean rest) {
        this.text = text;
        this.segments = segments;
        this.names = names;
        this.rest = rest;
    }

    /** Parses a template; an unusable one is an {@link IllegalArgumentException} that says what is wrong. */
    public static PathTemplate parse(String text) {
        boolean rest = text.endsWith("/**");
        String head = rest ? text.substring(0, text.length() - 3) : text;
        if (!text.startsWith("/")) {
            throw bad(text, "a path that starts with a slash");
        }
        List<Segment> segments = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int slash = 0; slash < head.length(); ) {
            int next = head.indexOf('/', slash + 1);
            int end = next < 0 ? head.length() : next;
            String part = head.substring(slash + 1, end);
            if (part.isEmpty() && (end < head.length() || rest)) {
                throw bad(text, "no empty segments");
            }
            segments.add(segment(text, part, names));
            slash = end;
        }
        return new PathTemplate(text, List.copyOf(segments), names.toArray(String[]::new), rest);
    }

    private static Segment segment(String text, String part, List<String> names) {
        if (part.startsWith("{") && part.endsWith("}")) {
            String name = part.substring(1, part.length() - 1);
            if (!isName(name) || names.contains(name)) {
                throw bad(text, "distinct names of [a-z][a-z0-9_]* in braces");
            }
            names.add(name);
            return new Segment.Name();
        }
        if (part.indexOf('{') >= 0 || part.indexOf('}') >= 0 || part.indexOf('*') >= 0 || part.indexOf(';') >= 0) {
            throw bad(text, "a name as a whole segment, ** only as the last segment, and no parameters");
        }
        checkLiteral(text, "/" + part);
        return new Segment.Literal(part);
    }

    private static void checkLiteral(String text, String path) {
        try {
            if (!NormalPath.of(path).equals(path)) {
                throw bad(text, "segments in normal form, here " + NormalPath.of(path));
            }
        } catch (BadTarget e) {
            throw bad(text, "segments that a request can have; " + e.getMessage());
        }
    }

    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= 'a' && c <= 'z') && (i == 0 || !((c >= '0' && c <= '9') || c == '_'))) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static IllegalArgumentException bad(String text, String expected) {
        return new IllegalArgumentException("route path " + text + " (expected: " + expected + ")");
    }

    List<Segment> segments() {
        return segments;
    }

    String[] names() {
        return names;
    }

    boolean hasRest() {
        return rest;
    }

    /** True if it stands for one path only. */
    boolean isExact() {
        return names.length == 0 && !rest;
    }

    /** The template as it was written; also a good metric label, since it is bounded. */
    @Override
    public String toString() {
        return text;
    }

    /** One step of a template. */
    sealed interface Segment {
        /** This very text; the last one of {@code /a/} is empty. */
        record Literal(String text) implements Segment {}

        /** Any one segment. */
        record Name() implements Segment {}
    }
}
