package dev.ron.edge.range;

import dev.ron.edge.range.Answer.NotSatisfiable;
import dev.ron.edge.range.Answer.Part;
import dev.ron.edge.range.Answer.Parts;
import dev.ron.edge.range.Answer.Whole;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Turns a {@code Range} field into the bytes to send. */
final class Ranges {
    /** The head of a further part is longer than a gap of this size: sending the gap is cheaper. */
    static final int MERGE_GAP = 80;

    static final int MAX_PARTS = 8;

    private Ranges() {}

    static Answer answer(String field, long length, boolean multiRange) {
        if (!RangeSpec.isBytes(field)) {
            return new Whole();
        }
        List<RangeSpec> specs = RangeSpec.parse(field);
        if (specs.isEmpty() || (specs.size() > 1 && !multiRange)) {
            return new NotSatisfiable();
        }
        List<ByteRange> ranges = merged(specs.stream()
                .map(spec -> spec.in(length))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparingLong(ByteRange::first))
                .toList());
        return switch (ranges.size()) {
            case 0 -> new NotSatisfiable();
            case 1 -> new Part(ranges.getFirst());
            default -> ranges.size() <= MAX_PARTS ? new Parts(ranges) : new NotSatisfiable();
        };
    }

    /** Joins ranges that overlap or lie close together; what remains adds up to no more than the whole. */
    private static List<ByteRange> merged(List<ByteRange> sorted) {
        List<ByteRange> result = new ArrayList<>();
        for (ByteRange range : sorted) {
            ByteRange last = result.isEmpty() ? range : result.removeLast();
            if (range.first() - last.last() <= MERGE_GAP) {
                result.add(new ByteRange(last.first(), Math.max(last.last(), range.last())));
            } else {
                result.add(last);
                result.add(range);
            }
        }
        return result;
    }
}
