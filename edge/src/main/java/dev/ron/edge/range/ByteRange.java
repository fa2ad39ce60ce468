package dev.ron.edge.range;

/** Bytes of a representation from {@code first} to {@code last}, both included. */
public record ByteRange(long first, long last) {

    public ByteRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("range " + first + "-" + last + " (expected: 0 <= first <= last)");
        }
    }

    public long length() {
        return last - first + 1;
    }

    /** The value of {@code Content-Range} in a 206. */
    public String contentRange(long total) {
        return "bytes " + first + "-" + last + "/" + total;
    }

    /** The value of {@code Content-Range} in a 416; range readers learn the length from it. */
    public static String unsatisfied(long total) {
        return "bytes */" + total;
    }
}
