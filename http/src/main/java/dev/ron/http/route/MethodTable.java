package dev.ron.http.route;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The handlers of one path shape by method; HEAD falls back to GET. */
final class MethodTable<H> {
    private final List<Entry<H>> entries = new ArrayList<>();
    private Match.WrongMethod<H> wrongMethod = new Match.WrongMethod<>("");

    private record Entry<H>(String method, PathTemplate template, Match.Found<H> found) {}

    void add(String method, PathTemplate template, H handler) {
        for (Entry<H> entry : entries) {
            if (entry.method.equals(method)) {
                throw new IllegalArgumentException("route " + method + " " + template + " matches the same paths as "
                        + method + " " + entry.template + " (expected: one route per method and path; remove one)");
            }
        }
        entries.add(new Entry<>(method, template, new Match.Found<>(handler, template, PathParams.NONE)));
        wrongMethod = new Match.WrongMethod<>(allow());
    }

    private String allow() {
        TreeSet<String> methods = new TreeSet<>();
        for (Entry<H> entry : entries) {
            methods.add(entry.method);
            if (entry.method.equals("GET")) {
                methods.add("HEAD");
            }
        }
        return String.join(", ", methods);
    }

    /** The answer for a path with names at these spans; where there are none, nothing is allocated. */
    Match<H> match(String method, String path, int[] spans, int restAt) {
        Match.Found<H> found = find(method);
        if (found == null) {
            return wrongMethod;
        }
        if (found.template().isExact()) {
            return found;
        }
        PathParams params = new PathParams(path, found.template().names(), spans, restAt);
        return new Match.Found<>(found.handler(), found.template(), params);
    }

    private Match.@Nullable Found<H> find(String method) {
        Match.Found<H> get = null;
        for (int i = 0; i < entries.size(); i++) {
            Entry<H> entry = entries.get(i);
            if (entry.method.equals(method)) {
                return entry.found;
            }
            if (entry.method.equals("GET")) {
                get = entry.found;
            }
        }
        return method.equals("HEAD") ? get : null;
    }
}
