package dev.ron.edge.range;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.range.Answer.NotSatisfiable;
import dev.ron.edge.range.Answer.Part;
import dev.ron.edge.range.Answer.Parts;
import dev.ron.edge.range.Answer.Whole;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranges against a slow oracle that asks for each byte whether it was wanted. */
class RangeOracleTest {
    private static final Pattern SPEC = Pattern.compile("(\\d{1,19})-(\\d{0,19})|-(\\d{1,19})");

    /** The wanted bytes, one bit each; nothing if the field is malformed. */
    private static Optional<BitSet> wanted(List<String> specs, int length) {
        BitSet bytes = new BitSet();
        for (String spec : specs) {
            Matcher matcher = SPEC.matcher(spec.replaceAll("^[ \t]+|[ \t]+$", ""));
            if (!matcher.matches()) {
                return Optional.empty();
            }
            BigInteger first;
            BigInteger last;
            BigInteger end = BigInteger.valueOf(length).subtract(BigInteger.ONE);
            if (matcher.group(3) != null) {
                first = end.subtract(new BigInteger(matcher.group(3))).add(BigInteger.ONE);
                last = end;
            } else {
                first = new BigInteger(matcher.group(1));
                last = matcher.group(2).isEmpty() ? end.max(first) : new BigInteger(matcher.group(2));
                if (first.compareTo(last) > 0) {
                    return Optional.empty();
                }
            }
            for (int i = 0; i < length; i++) {
                BigInteger at = BigInteger.valueOf(i);
                if (at.compareTo(first) >= 0 && at.compareTo(last) <= 0) {
                    bytes.set(i);
                }
            }
        }
        return Optional.of(bytes);
    }

    @Provide
    Arbitrary<String> spec() {
        Arbitrary<String> number = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 60).map(String::valueOf),
                Arbitraries.integers().between(0, 1200).map(String::valueOf),
                Arbitraries.of(
                        "", "007", "9223372036854775807", "9999999999999999999", "99999999999999999999", "x", "-1"));
        Arbitrary<String> dash = Arbitraries.of("-", "-", "-", "-", " -", "", "--");
        return Combinators.combine(number, dash, number).as((a, d, b) -> a + d + b);
    }

    @Property(tries = 5000)
    void oneRangeIsExactlyTheWantedBytes(@ForAll("spec") String spec, @ForAll @IntRange(max = 1000) int length) {
        if (spec.isEmpty()) {
            return;
        }
        Answer answer = Ranges.answer("bytes=" + spec, length, false);
        BitSet wanted = wanted(List.of(spec), length).orElseGet(BitSet::new);
        if (wanted.isEmpty()) {
            assertThat(answer).isEqualTo(new NotSatisfiable());
        } else {
            assertThat(answer).isInstanceOf(Part.class);
            assertThat(sent(List.of(((Part) answer).range()))).isEqualTo(wanted);
        }
    }

    @Property(tries = 5000)
    void severalRangesCoverTheWantedBytesAndLittleMore(
            @ForAll List<@From("spec") String> specs, @ForAll @IntRange(max = 1000) int length) {
        List<String> asked = specs.stream().filter(s -> !s.isEmpty()).limit(12).toList();
        if (asked.isEmpty()) {
            return;
        }
        Answer answer = Ranges.answer("bytes=" + String.join(", ", asked), length, true);
        BitSet wanted = wanted(asked, length).orElseGet(BitSet::new);
        switch (answer) {
            case NotSatisfiable() ->
                assertThat(wanted.isEmpty() || parts(wanted) > Ranges.MAX_PARTS).isTrue();
            case Part(ByteRange range) -> assertCovers(List.of(range), wanted);
            case Parts(List<ByteRange> ranges) -> {
                assertThat(ranges).hasSizeBetween(2, Ranges.MAX_PARTS);
                assertCovers(ranges, wanted);
            }
            default -> throw new AssertionError(answer);
        }
    }

    // both numbers beyond a long, the first the larger  ->  malformed, as with small numbers
    @Example
    void aRangeThatEndsBeforeItBeginsIsMalformedHoweverLargeItIs() {
        assertThat(Ranges.answer("bytes=0-0,9999999999999999999-9223372036854775807", 1, true))
                .isEqualTo(new NotSatisfiable());
    }

    private static void assertCovers(List<ByteRange> ranges, BitSet wanted) {
        BitSet sent = sent(ranges);
        BitSet missing = (BitSet) wanted.clone();
        missing.andNot(sent);
        assertThat(missing.isEmpty()).isTrue();
        // Apart, in order, each byte at most once; and extra bytes only in gaps shorter than a part's head.
        assertThat(ranges.stream().mapToLong(ByteRange::length).sum()).isEqualTo(sent.cardinality());
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i).first()).isGreaterThan(ranges.get(i - 1).last() + 1);
        }
        for (ByteRange range : ranges) {
            assertThat(wanted.get((int) range.first()) && wanted.get((int) range.last()))
                    .isTrue();
            int gap = 0;
            for (long i = range.first(); i <= range.last(); i++) {
                gap = wanted.get((int) i) ? 0 : gap + 1;
                assertThat(gap).isLessThan(Ranges.MERGE_GAP);
            }
        }
    }

    private static BitSet sent(List<ByteRange> ranges) {
        BitSet sent = new BitSet();
        ranges.forEach(range -> sent.set((int) range.first(), (int) range.last() + 1));
        return sent;
    }

    /** How many parts remain when gaps below the limit are filled. */
    private static int parts(BitSet wanted) {
        int parts = 0;
        int last = -1000;
        for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
            parts += i - last > Ranges.MERGE_GAP ? 1 : 0;
            last = i;
        }
        return parts;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "100 | bytes=0-0      | 0-0",
                "100 | Bytes=0-49     | 0-49",
                "100 | bytes=50-      | 50-99",
                "100 | bytes=-1       | 99-99",
                "100 | bytes=-500     | 0-99",
                "100 | bytes=99-1000  | 99-99",
                "100 | bytes=100-     | 416",
                "100 | bytes=-0       | 416",
                "0   | bytes=0-       | 416",
                "0   | bytes=-1       | 416",
                "100 | bytes=5-4      | 416",
                "100 | bytes=         | 416",
                "100 | bytes=+1-2     | 416",
                "100 | bytes=1 -2     | 416",
                "100 | bytes=0-1,5-6  | 416",
                "100 | bytes=0-00000000000000000001 | 416",
                "100 | bytes=0-9999999999999999999  | 0-99",
                "100 | items=0-1      | whole",
                "100 | bytes 0-1      | whole",
            })
    void followsTheTable(long length, String field, String expected) {
        Answer answer = Ranges.answer(field, length, false);
        String shown = switch (answer) {
            case Part(ByteRange range) -> range.first() + "-" + range.last();
            case NotSatisfiable() -> "416";
            case Whole() -> "whole";
            default -> String.valueOf(answer);
        };
        assertThat(shown).isEqualTo(expected);
    }

    @Test
    void aGapOf79BytesIsSentAndOneOf80IsNot() {
        assertThat(Ranges.answer("bytes=80-80,0-0", 1000, true)).isEqualTo(new Part(new ByteRange(0, 80)));
        assertThat(Ranges.answer("bytes=81-81,0-0", 1000, true))
                .isEqualTo(new Parts(List.of(new ByteRange(0, 0), new ByteRange(81, 81))));
    }
}
