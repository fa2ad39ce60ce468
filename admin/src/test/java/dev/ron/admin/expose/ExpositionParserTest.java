package dev.ron.admin.expose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.admin.expose.ParseReport.Flaw;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ExpositionParserTest {

    private static ParseReport parse(byte[] body, Collected into) {
        ExpositionParser parser = new ExpositionParser(into);
        parser.feed(ByteBuffer.wrap(body));
        return parser.finish();
    }

    private static Map<String, Double> read(String body) {
        Collected into = new Collected();
        parse(body.getBytes(StandardCharsets.UTF_8), into);
        return into.samples;
    }

    @Test
    void everyFormOfTheTextFormatIsRead() {
        Map<String, Double> samples = read("""
                # HELP a_total what it is
                # TYPE a_total counter
                a_total{x="1",y="two words"} 12 1700000000000
                  b 3.5
                c{le="+Inf",} +Inf
                d{ x = "a\\"b\\\\c\\nd" , } -1e3
                e{x="}"} 0x1p3
                f{x="\\q"} .5
                g NaN
                h{} 1
                # a comment
                i 7 # {trace_id="abc"} 0.67 1700000000.1
                """);
        assertThat(samples)
                .containsEntry("a_total{x=1, y=two words}", 12.0)
                .containsEntry("b{}", 3.5)
                .containsEntry("c{le=+Inf}", Double.POSITIVE_INFINITY)
                .containsEntry("d{x=a\"b\\c\nd}", -1000.0)
                .containsEntry("e{x=}}", 8.0)
                .containsEntry("f{x=\\q}", 0.5)
                .containsEntry("h{}", 1.0)
                .containsEntry("i{}", 7.0);
        assertThat(samples.get("g{}")).isNaN();
    }

    @Test
    void openMetricsEndsAtItsMarkAndTakesQuotedNames() {
        Map<String, Double> samples =
                read("{\"my.metric\",a=\"b\"} 1\n{a=\"b\",\"other.one\"} 2 1.5\n# EOF\nafter 1\n");
        assertThat(samples).containsOnlyKeys("my.metric{a=b}", "other.one{a=b}");
    }

    @Test
    void badLinesAreSkippedAndCountedByCause() {
        Collected into = new Collected();
        ParseReport report = parse("""
                good 1
                9bad 1
                bad{x="1" 1
                bad{x=1} 1
                bad{x="1"} one
                bad{x="1"}
                bad 1 2 3
                good2 2
                """.getBytes(StandardCharsets.UTF_8), into);
        assertThat(into.samples).containsOnlyKeys("good{}", "good2{}");
        assertThat(report.bad())
                .containsEntry(Flaw.NAME, 1L)
                .containsEntry(Flaw.LABELS, 2L)
                .containsEntry(Flaw.VALUE, 3L);
        assertThat(report.plausible()).isFalse();
    }

    @Test
    void aLineOfTenMegabytesIsSkippedAndTheNextIsRead() {
        byte[] body = ("a 1\nlong{x=\"" + "y".repeat(10 << 20) + "\"} 1\nb 2").getBytes(StandardCharsets.UTF_8);
        Collected into = new Collected();
        ParseReport report = parse(body, into);
        assertThat(into.samples).containsOnlyKeys("a{}", "b{}");
        assertThat(report.bad()).containsEntry(Flaw.TOO_LONG, 1L);
    }

    @Test
    void capsHoldOnLabelsAndSamples() {
        StringBuilder wide = new StringBuilder("wide{");
        for (int i = 0; i < 40; i++) {
            wide.append("l").append(i).append("=\"v\",");
        }
        StringBuilder body = new StringBuilder(wide).append("} 1\n");
        for (int i = 0; i < 60_000; i++) {
            body.append("m{i=\"").append(i).append("\"} 1\n");
        }
        Collected into = new Collected();
        ParseReport report = parse(body.toString().getBytes(StandardCharsets.UTF_8), into);
        assertThat(report.bad()).containsEntry(Flaw.TOO_MANY_LABELS, 1L);
        assertThat(report.truncated()).isTrue();
        assertThat(into.samples).hasSize((int) ExpositionParser.MAX_SAMPLES);
    }

    @Test
    void badUtf8BecomesTheReplacementCharacterAndMarkupStaysText() {
        byte[] bad = "m{x=\"<script>alert(1)</script>\",y=\"?\"} 1\n".getBytes(StandardCharsets.UTF_8);
        bad[bad.length - 6] = (byte) 0xff;
        Collected into = new Collected();
        parse(bad, into);
        assertThat(into.samples.keySet()).containsExactly("m{x=<script>alert(1)</script>, y=\uFFFD}");
    }

    /** The law of chunking: any bytes, cut anywhere, give what they give in one piece; and nothing is thrown. */
    @Property(tries = 400)
    void piecesDoNotMatter(@ForAll("bodies") byte[] body, @ForAll long seed) {
        Collected whole = new Collected();
        ParseReport expected = parse(body, whole);
        Collected cut = new Collected();
        ExpositionParser parser = new ExpositionParser(cut);
        Random random = new Random(seed);
        int at = 0;
        while (at < body.length) {
            int n = Math.min(body.length - at, 1 + random.nextInt(random.nextBoolean() ? 3 : 40));
            if (random.nextBoolean()) {
                parser.feed(ByteBuffer.wrap(body, at, n));
            } else {
                parser.feed(body, at, at + n);
            }
            at += n;
        }
        assertThat(parser.finish()).isEqualTo(expected);
        assertThat(cut.samples).isEqualTo(whole.samples);
        assertThat(cut.types).isEqualTo(whole.types);
    }

    @Provide
    Arbitrary<byte[]> bodies() {
        Arbitrary<String> line = Arbitraries.oneOf(
                Arbitraries.of(
                        "a_total 1",
                        "b{x=\"1\"} 2",
                        "# TYPE a counter",
                        "# EOF",
                        "",
                        "\r",
                        "{\"q\"} 3",
                        "c{x=\"\\\"}\"} 4 5",
                        "d 1 # {} 1"),
                Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(30),
                Arbitraries.strings()
                        .withChars("ab{}=\",\\ \t#0123456789.+-eEnNiIfFxX")
                        .ofMaxLength(40));
        return line.list().ofMaxSize(20).map(lines -> String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1));
    }

    @Property(tries = 300)
    void anyBytesAreSurvived(@ForAll @Size(max = 600) byte[] body) {
        parse(body, new Collected());
    }

    /** Bad lines between good ones change nothing about the good ones. */
    @Property(tries = 200)
    void goodSamplesAreNotHurtByBadLines(
            @ForAll("bodies") byte[] noise,
            @ForAll @Size(min = 1, max = 5)
                    List<@net.jqwik.api.constraints.IntRange(min = 0, max = 999) Integer> values) {
        StringBuilder body = new StringBuilder();
        Map<String, Double> expected = new LinkedHashMap<>();
        for (int i = 0; i < values.size(); i++) {
            String safe = new String(noise, StandardCharsets.ISO_8859_1)
                    .replace("# EOF", "")
                    .replace("#", "9");
            body.append("9").append(safe.replace("\n", "\n9")).append('\n');
            body.append("good{i=\"")
                    .append(i)
                    .append("\"} ")
                    .append(values.get(i))
                    .append('\n');
            expected.put("good{i=" + i + "}", values.get(i).doubleValue());
        }
        Collected into = new Collected();
        parse(body.toString().getBytes(StandardCharsets.ISO_8859_1), into);
        assertThat(into.samples).containsAllEntriesOf(expected);
    }

    /** What the official client writes is read back, in both formats, to the last bit. */
    @Property(tries = 120)
    void readsWhatTheOfficialClientWrites(@ForAll("registries") PrometheusRegistry registry) throws IOException {
        for (ExpositionFormatWriter writer :
                List.of(PrometheusTextFormatWriter.create(), OpenMetricsTextFormatWriter.create())) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            writer.write(out, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
            Collected into = new Collected();
            ParseReport report = parse(out.toByteArray(), into);
            assertThat(report.badLines()).isZero();
            Map<String, Double> expected = expected(registry);
            assertThat(into.samples).containsAllEntriesOf(expected);
            into.samples.keySet().removeIf(key -> key.contains("_created"));
            assertThat(into.samples.keySet()).isEqualTo(expected.keySet());
        }
    }

    private static Map<String, Double> expected(PrometheusRegistry registry) {
        Map<String, Double> all = new LinkedHashMap<>();
        for (MetricSnapshot metric : registry.scrape()) {
            String name = metric.getMetadata().getPrometheusName();
            for (DataPointSnapshot point : metric.getDataPoints()) {
                Map<String, String> labels = new LinkedHashMap<>();
                point.getLabels().stream().forEach(label -> labels.put(label.getName(), label.getValue()));
                switch (point) {
                    case CounterSnapshot.CounterDataPointSnapshot counter ->
                        all.put(name + "_total" + labels, counter.getValue());
                    case GaugeSnapshot.GaugeDataPointSnapshot gauge -> all.put(name + labels, gauge.getValue());
                    case HistogramSnapshot.HistogramDataPointSnapshot histogram -> {
                        long count = 0;
                        for (int i = 0; i < histogram.getClassicBuckets().size(); i++) {
                            count += histogram.getClassicBuckets().getCount(i);
                            double bound = histogram.getClassicBuckets().getUpperBound(i);
                            Map<String, String> withBound = new LinkedHashMap<>(labels);
                            withBound.put("le", Double.isInfinite(bound) ? "+Inf" : Double.toString(bound));
                            all.put(name + "_bucket" + withBound, (double) count);
                        }
                        all.put(name + "_count" + labels, (double) count);
                        all.put(name + "_sum" + labels, histogram.getSum());
                    }
                    default -> throw new AssertionError("not made here: " + point.getClass());
                }
            }
        }
        return all;
    }

    @Provide
    Arbitrary<PrometheusRegistry> registries() {
        Arbitrary<String> label = Arbitraries.strings()
                .ofMaxLength(12)
                .filter(text -> text.chars().noneMatch(c -> Character.isSurrogate((char) c)));
        Arbitrary<Double> value = Arbitraries.oneOf(
                Arbitraries.doubles(),
                Arbitraries.of(
                        0.0,
                        -0.0,
                        1e300,
                        1e-300,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY,
                        123456789012345.0));
        Arbitrary<Double> positive = Arbitraries.doubles().between(0, 1e12);
        return Combinators.combine(
                        label.list().ofSize(3), value, positive, positive.list().ofMaxSize(5))
                .as((labels, gaugeValue, counterValue, observed) -> {
                    PrometheusRegistry registry = new PrometheusRegistry();
                    Counter counter = Counter.builder()
                            .name("a_thing_total")
                            .labelNames("x", "y")
                            .help("h\\elp\nme")
                            .register(registry);
                    counter.labelValues(labels.get(0), labels.get(1)).inc(counterValue);
                    Gauge gauge =
                            Gauge.builder().name("a_gauge").labelNames("z").register(registry);
                    gauge.labelValues(labels.get(2)).set(gaugeValue);
                    Histogram histogram = Histogram.builder()
                            .name("a_histogram")
                            .labelNames("x")
                            .classicOnly()
                            .classicUpperBounds(0.001, 0.5, 1, 1e6)
                            .register(registry);
                    observed.forEach(
                            each -> histogram.labelValues(labels.get(0)).observe(each));
                    return registry;
                });
    }
}
