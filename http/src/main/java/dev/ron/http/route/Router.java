package dev.ron.http.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handler for a method and a normal path.
 *
 * <p>The path decides first, then the method: of several templates that fit, the one that is literal where the
 * others are not wins, segment by segment, then a name over {@code **}. So an exact path always wins and the longest
 * literal prefix wins among patterns; the order of adding never matters. Two routes that fit the same paths
 * with the same method are refused when the router is built.
 */
public final class Router<H> {
    private final Node<H> root;
    private final Match.NoRoute<H> noRoute = new Match.NoRoute<>();

    private Router(Node<H> root) {
        this.root = root;
    }

    public static <H> Builder<H> builder() {
        return new Builder<>();
    }

    /** Looks a path up; it must be in normal form ({@link NormalPath}). */
    public Match<H> find(String method, String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            return noRoute;
        }
        Walk<H> walk = new Walk<>(path);
        MethodTable<H> found = walk.down(root, 0, 0);
        return found == null ? noRoute : found.match(method, path, walk.spans, walk.restAt);
    }

    /** A position in the tree of routes. */
    private static final class Node<H> {
        private static final int FEW = 8; // so many are compared sooner than a string is cut out and hashed

        private final Map<String, Node<H>> literals = new HashMap<>();
        private final List<Map.Entry<String, Node<H>>> inOrder = new ArrayList<>();
        private @Nullable Node<H> name;
        private @Nullable MethodTable<H> here;
        private @Nullable MethodTable<H> rest;

        Node<H> add(String text) {
            return literals.computeIfAbsent(text, key -> {
                Node<H> child = new Node<>();
                inOrder.add(Map.entry(text, child));
                return child;
            });
        }

        @Nullable
        Node<H> literal(String path, int start, int end) {
            if (inOrder.size() > FEW) {
                return literals.get(path.substring(start, end));
            }
            for (int i = 0; i < inOrder.size(); i++) {
                String text = inOrder.get(i).getKey();
                if (text.length() == end - start && path.startsWith(text, start)) {
                    return inOrder.get(i).getValue();
                }
            }
            return null;
        }
    }

    /** One search: literal first, then name, then the rest, going back where a branch ends without a route. */
    private static final class Walk<H> {
        private static final int[] NO_SPANS = new int[0];

        private final String path;
        private int[] spans = NO_SPANS;
        private int restAt = -1;

        Walk(String path) {
            this.path = path;
        }

        /** {@code at} is the slash before the next segment, or the end of the path. */
        @Nullable
        MethodTable<H> down(Node<H> node, int at, int names) {
            if (at == path.length()) {
                if (node.here != null) {
                    return node.here;
                }
            } else {
                MethodTable<H> deeper = segment(node, at + 1, names);
                if (deeper != null) {
                    return deeper;
                }
            }
            if (node.rest != null) {
                restAt = at;
            }
            return node.rest;
        }

        private @Nullable MethodTable<H> segment(Node<H> node, int start, int names) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            Node<H> literal = node.literal(path, start, end);
            MethodTable<H> found = literal == null ? null : down(literal, end, names);
            if (found != null) {
                return found;
            }
            if (node.name == null || end == start || hasParameters(start, end)) {
                return null;
            }
            if (spans.length < 2 * names + 2) {
                spans = Arrays.copyOf(spans, 2 * names + 8);
            }
            spans[2 * names] = start;
            spans[2 * names + 1] = end;
            return down(node.name, end, names + 1);
        }

        private boolean hasParameters(int start, int end) {
            for (int i = start; i < end; i++) {
                if (path.charAt(i) == ';') {
                    return true;
                }
            }
            return false;
        }
    }

    /** Collects routes; every mistake is an {@link IllegalArgumentException} at the call that makes it. */
    public static final class Builder<H> {
        private final Node<H> root = new Node<>();

        private Builder() {}

        public Builder<H> add(String method, String template, H handler) {
            return add(List.of(method), template, handler);
        }

        public Builder<H> add(Collection<String> methods, String template, H handler) {
            PathTemplate parsed = PathTemplate.parse(template);
            MethodTable<H> table = table(parsed);
            for (String method : methods) {
                checkMethod(method, template);
                table.add(method, parsed, handler);
            }
            return this;
        }

        private static void checkMethod(String method, String template) {
            boolean token = !method.isEmpty() && method.equals(method.toUpperCase(Locale.ROOT));
            if (!token || method.equals("TRACE") || method.equals("CONNECT")) {
                throw new IllegalArgumentException("route " + template + ": method " + method
                        + " (expected: an upper-case method other than TRACE and CONNECT)");
            }
        }

        private MethodTable<H> table(PathTemplate template) {
            Node<H> node = root;
            for (PathTemplate.Segment segment : template.segments()) {
                node = step(node, segment);
            }
            if (template.hasRest()) {
                node.rest = node.rest == null ? new MethodTable<>() : node.rest;
                return node.rest;
            }
            node.here = node.here == null ? new MethodTable<>() : node.here;
            return node.here;
        }

        private static <H> Node<H> step(Node<H> node, PathTemplate.Segment segment) {
            return switch (segment) {
                case PathTemplate.Segment.Literal(String text) -> node.add(text);
                case PathTemplate.Segment.Name() -> {
                    node.name = node.name == null ? new Node<>() : node.name;
                    yield node.name;
                }
            };
        }

        /** The router; the builder is not used after this. */
        public Router<H> build() {
            return new Router<>(root);
        }
    }
}
