package dev.ron.edge.range;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.range.Answer.NotModified;
import dev.ron.edge.range.Answer.Part;
import dev.ron.edge.range.Answer.PreconditionFailed;
import dev.ron.edge.range.Answer.TooLong;
import dev.ron.edge.range.Answer.Whole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PreconditionsTest {
    private static final EntityTag TAG = EntityTag.strong("b3:aa");
    private static final Instant CHANGED = Instant.parse("2026-03-01T12:00:00.5Z");
    private static final String SAME = "Sun, 01 Mar 2026 12:00:00 GMT";
    private static final String EARLIER = "Sun, 01 Mar 2026 11:59:59 GMT";
    private static final String LATER = "Sun, 01 Mar 2026 12:00:01 GMT";
    private static final Representation WHOLE = new Representation(100, TAG, Optional.of(CHANGED));

    /** A field's value (empty: absent) with what it means, said by hand. */
    private record Case(String value, boolean holds) {
        boolean isThere() {
            return !value.isEmpty();
        }

        Optional<String> field() {
            return isThere() ? Optional.of(value) : Optional.empty();
        }
    }

    private static final Case ABSENT = new Case("", true);

    // holds = the representation matches the list
    private static final List<Case> IF_MATCH = List.of(
            ABSENT,
            new Case("*", true),
            new Case("\"b3:aa\"", true),
            new Case("\"x\" , ,\"b3:aa\"", true),
            new Case("\"a,b\",\"b3:aa\"", true),
            new Case("W/\"b3:aa\"", false),
            new Case("\"x\"", false),
            new Case("\"b3:aa\" \"x\"", false),
            new Case("b3:aa", false),
            new Case("\"b3:aa", false));
    private static final List<Case> IF_NONE_MATCH = List.of(
            ABSENT,
            new Case("*", true),
            new Case("\"b3:aa\"", true),
            new Case("\"x\", W/\"b3:aa\"", true),
            new Case("W/\"x\",\"y\"", false),
            new Case("w/\"b3:aa\"", false),
            new Case("b3:aa", false));
    // holds = not changed since
    private static final List<Case> DATES = List.of(
            ABSENT,
            new Case(SAME, true),
            new Case(LATER, true),
            new Case("Sunday, 01-Mar-26 12:00:00 GMT", true),
            new Case("Sun Mar  1 12:00:00 2026", true),
            new Case(EARLIER, false));
    private static final List<Case> BAD_DATES = List.of(new Case("yesterday", true), new Case("2026-03-01", true));
    private static final List<Case> IF_RANGE = List.of(
            ABSENT,
            new Case("\"b3:aa\"", true),
            new Case(SAME, false),
            new Case("W/\"b3:aa\"", false),
            new Case("\"x\"", false),
            new Case("\"x\", \"b3:aa\"", false),
            new Case("*", false),
            new Case(LATER, false),
            new Case("b3:aa", false));

    /** The rules once more, as a reader of section 13.2.2 would write them down, on the meanings and not the texts. */
    private static Answer oracle(boolean head, Case im, Case ius, Case inm, Case ims, Case ir, boolean range) {
        if (im.isThere() ? !im.holds() : !ius.holds()) {
            return new PreconditionFailed();
        }
        if (inm.isThere() ? inm.holds() : ims.isThere() && !BAD_DATES.contains(ims) && ims.holds()) {
            return new NotModified();
        }
        return range && !head && ir.holds() ? new Part(new ByteRange(10, 19)) : new Whole();
    }

    @Test
    void everyCombinationOfFieldsFollowsTheOrderOfTheRfc() {
        Preconditions preconditions = new Preconditions(false);
        List<Case> dates = Stream.concat(DATES.stream(), BAD_DATES.stream()).toList();
        int checked = 0;
        for (Case im : IF_MATCH) {
            for (Case ius : dates) {
                for (Case inm : IF_NONE_MATCH) {
                    for (Case ims : dates) {
                        for (Case ir : IF_RANGE) {
                            for (int bits = 0; bits < 4; bits++) {
                                boolean head = (bits & 1) != 0;
                                boolean range = (bits & 2) != 0;
                                Conditions asked = new Conditions(
                                        im.field(),
                                        ius.field(),
                                        inm.field(),
                                        ims.field(),
                                        ir.field(),
                                        range ? Optional.of("bytes=10-19") : Optional.empty());
                                Answer answer = preconditions.decide(head, asked, WHOLE);
                                Answer expected = oracle(head, im, ius, inm, ims, ir, range);
                                if (!answer.equals(expected)) {
                                    throw new AssertionError(asked + ": " + answer + ", expected " + expected);
                                }
                                checked++;
                            }
                        }
                    }
                }
            }
        }
        assertThat(checked).isEqualTo(10 * 8 * 7 * 8 * 9 * 4);
    }

    @Test
    void datesWithoutALastModifiedAreIgnored() {
        Representation undated = new Representation(100, TAG, Optional.empty());
        Conditions asked = conditions(Map.of(
                "if-unmodified-since", EARLIER, "if-modified-since", LATER, "if-range", SAME, "range", "bytes=0-1"));
        assertThat(new Preconditions(false).decide(false, asked, undated)).isEqualTo(new Whole());
    }

    @Test
    void fieldsBeyondTheirBoundsAreRefused() {
        String many = "\"x\",".repeat(TagList.MAX_TAGS + 1);
        String longer = "\"" + "x".repeat(TagList.MAX_CHARS) + "\"";
        for (String value : List.of(many, longer)) {
            assertThat(decide("if-none-match", value)).isEqualTo(new TooLong("If-None-Match"));
            assertThat(decide("if-match", value)).isEqualTo(new TooLong("If-Match"));
        }
        assertThat(decide("if-none-match", "\"x\",".repeat(TagList.MAX_TAGS))).isEqualTo(new Whole());
    }

    private static Answer decide(String field, String value) {
        return new Preconditions(false).decide(false, conditions(Map.of(field, value)), WHOLE);
    }

    private static Conditions conditions(Map<String, String> fields) {
        return Conditions.from(name -> Optional.ofNullable(fields.get(name)));
    }

    @Test
    void datesAreWrittenInTheOneForm() {
        assertThat(HttpDate.format(CHANGED)).isEqualTo(SAME);
        assertThat(HttpDate.parse("Sun, 1 Mar 2026 12:00:00 GMT")).isEmpty();
        assertThat(HttpDate.parse("Mon, 01 Mar 2026 12:00:00 GMT")).isEmpty();
        assertThat(HttpDate.parse("Sun, 01 Mar 2026 12:00:00 CET")).isEmpty();
    }
}
