package dev.ron.edge.range;

import java.util.List;

/** What a request with conditions gets. */
public sealed interface Answer {

    /** 200 with everything. */
    record Whole() implements Answer {}

    /** 206 with one range. */
    record Part(ByteRange range) implements Answer {}

    /** 206 as {@code multipart/byteranges}: sorted, apart from each other, together no longer than the whole. */
    record Parts(List<ByteRange> ranges) implements Answer {
        public Parts {
            ranges = List.copyOf(ranges);
        }
    }

    /** 304. */
    record NotModified() implements Answer {}

    /** 412. */
    record PreconditionFailed() implements Answer {}

    /** 416, reason {@code invalid_range}. */
    record NotSatisfiable() implements Answer {}

    /** 400: a field beyond its bounds. */
    record TooLong(String field) implements Answer {}
}
