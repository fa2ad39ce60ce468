package dev.ron.http.route;

/** What the names of a template stood for in one path; values are decoded when asked for. */
public final class PathParams {
    static final PathParams NONE = new PathParams("", new String[0], new int[0], -1);

    private final String path;
    private final String[] names;
    private final int[] spans; // start and end of each name's segment
    private final int restAt; // where the part matched by ** starts, -1 if there is none

    PathParams(String path, String[] names, int[] spans, int restAt) {
        this.path = path;
        this.names = names;
        this.spans = spans;
        this.restAt = restAt;
    }

    /** The decoded value of a name of the template; asking for another name is a programming error. */
    public String get(String name) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return Utf8Escapes.decode(path, spans[2 * i], spans[2 * i + 1]);
            }
        }
        throw new IllegalArgumentException("no name " + name + " in this route's path");
    }

    /** What {@code **} stood for: empty or starting with a slash, still escaped, fit to be forwarded. */
    public String rest() {
        return path.substring(restStart());
    }

    /** What {@code **} stood for, without its first slash and with its escapes undone. */
    public String decodedRest() {
        return Utf8Escapes.decode(path, Math.min(restStart() + 1, path.length()), path.length());
    }

    private int restStart() {
        if (restAt < 0) {
            throw new IllegalArgumentException("this route's path has no **");
        }
        return restAt;
    }
}
