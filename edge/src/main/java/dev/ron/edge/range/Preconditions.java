package dev.ron.edge.range;

import dev.ron.edge.range.Answer.NotModified;
import dev.ron.edge.range.Answer.PreconditionFailed;
import dev.ron.edge.range.Answer.TooLong;
import dev.ron.edge.range.Answer.Whole;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides what a GET or HEAD gets: RFC 9110, section 13.2.2, in its order, as one pure function.
 *
 * <p>A date counts only where its tag field is absent, and a date that is not one is as if absent.
 */
public final class Preconditions {
    private final boolean multiRange;

    /** With {@code multiRange} several ranges in one request are answered, else refused. */
    public Preconditions(boolean multiRange) {
        this.multiRange = multiRange;
    }

    public Answer decide(boolean head, Conditions asked, Representation whole) {
        // Steps 1 and 2: is it still what the client believes it to be?
        if (asked.ifMatch().isPresent()) {
            String field = asked.ifMatch().get();
            TagList list = TagList.parse(field);
            if (tooLong(field, list)) {
                return new TooLong("If-Match");
            }
            if (!list.matchesStrongly(whole.tag())) {
                return new PreconditionFailed();
            }
        } else if (changedSince(asked.ifUnmodifiedSince(), whole)) {
            return new PreconditionFailed();
        }
        // Steps 3 and 4: does the client have it already?
        if (asked.ifNoneMatch().isPresent()) {
            String field = asked.ifNoneMatch().get();
            TagList list = TagList.parse(field);
            if (tooLong(field, list)) {
                return new TooLong("If-None-Match");
            }
            if (list.matchesWeakly(whole.tag())) {
                return new NotModified();
            }
        } else if (unchangedSince(asked.ifModifiedSince(), whole)) {
            return new NotModified();
        }
        // Step 5: a range, if it is of the thing the client has the rest of.
        if (head || asked.range().isEmpty() || !rangeApplies(asked.ifRange(), whole)) {
            return new Whole();
        }
        return Ranges.answer(asked.range().get(), whole.length(), multiRange);
    }

    private static boolean tooLong(String field, TagList list) {
        return field.length() > TagList.MAX_CHARS || list.isTooLong();
    }

    private static boolean changedSince(Optional<String> field, Representation whole) {
        Optional<Instant> date = field.flatMap(HttpDate::parse);
        return date.isPresent()
                && whole.lastModified().isPresent()
                && whole.lastModified().get().isAfter(date.get());
    }

    private static boolean unchangedSince(Optional<String> field, Representation whole) {
        Optional<Instant> date = field.flatMap(HttpDate::parse);
        return date.isPresent()
                && whole.lastModified().isPresent()
                && !whole.lastModified().get().isAfter(date.get());
    }

    /**
     * Only the same strong tag keeps the range; anything else sends the whole. A date is no strong validator (RFC 9110,
     * 13.1.5 and 8.8.2.2): it names a second, in which a file may have changed twice.
     */
    private static boolean rangeApplies(Optional<String> ifRange, Representation whole) {
        if (ifRange.isEmpty()) {
            return true;
        }
        TagList list = TagList.parse(ifRange.get());
        return ifRange.get().startsWith("\"") && list.tags().size() == 1 && list.matchesStrongly(whole.tag());
    }
}
