package dev.ron.admin.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.admin.view.FacetMetrics;
import dev.ron.admin.view.SeriesView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class NodeSeriesTest {
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final long STEP = INTERVAL.toNanos();
    private static final String KEY = "http_requests_total{service=\"s\",status=\"2xx\"}";

    private final NodeSeries ring = new NodeSeries(new SeriesLimits(61, 256, 32, 64));
    private long now = 1;

    private void scrape(String body) {
        scrape(ring, body, now);
        now += STEP;
    }

    private static void scrape(NodeSeries ring, String body, long at) {
        Scrape scrape = ring.scrape();
        scrape.feed(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
        scrape.finish();
        ring.commit(scrape, at / 1_000_000, at, INTERVAL);
    }

    private static String requests(double value) {
        return "http_requests_total{service=\"s\",route=\"/\",method=\"GET\",status=\"200\"} " + value + "\n";
    }

    private List<Double> points(String key) {
        SeriesView view = ring.read("n", List.of(key));
        List<Double> points = new ArrayList<>();
        for (int i = 0; i < view.t().size(); i++) {
            points.add(Objects.requireNonNull(view.cols().get(key)).at(i));
        }
        return points;
    }

    private Numbers numbers() {
        return Digest.of("n", ring);
    }

    @Test
    void theFirstScrapeGivesNoRateAndTheSecondDoes() {
        scrape(requests(100));
        assertThat(numbers().totals().rps()).isNull();
        scrape(requests(150));
        assertThat(points(KEY)).containsExactly(Double.NaN, 10.0);
        assertThat(numbers().totals().rps()).isEqualTo(10.0);
        assertThat(numbers().totals().errorRate()).isZero();
    }

    @Test
    void aCounterThatFellHasStartedOver() {
        scrape(requests(100));
        scrape(requests(30));
        assertThat(points(KEY)).containsExactly(Double.NaN, 6.0);
        assertThat(numbers().resets()).isEqualTo(1);
    }

    @Test
    void noiseInTheLastPlaceIsNotAReset() {
        scrape(requests(1e12));
        scrape(requests(1e12 - 0.0001));
        assertThat(points(KEY)).containsExactly(Double.NaN, 0.0);
        assertThat(numbers().resets()).isZero();
    }

    @Test
    void aRestartedProcessResetsCountersThatDidNotFall() {
        scrape("process_start_time_seconds 1000\n" + requests(10));
        scrape("process_start_time_seconds 2000\n" + requests(40));
        assertThat(points(KEY)).containsExactly(Double.NaN, 8.0);
        assertThat(numbers().resets()).isEqualTo(1);
    }

    /** One series of a sum that goes away must not look like a reset of the sum. */
    @Test
    void aSeriesThatGoesAwayDoesNotInventTraffic() {
        String other = requests(1000).replace("/", "/other");
        scrape(requests(100) + other);
        scrape(requests(105));
        assertThat(points(KEY)).containsExactly(Double.NaN, 1.0);
    }

    @Test
    void aLongGapGivesNoRateAndAShortOneDoes() {
        scrape(requests(10));
        ring.gap(now / 1_000_000);
        now += STEP;
        scrape(requests(30));
        assertThat(points(KEY)).containsExactly(Double.NaN, Double.NaN, 2.0);
        now += 3 * STEP;
        scrape(requests(1000));
        assertThat(points(KEY).getLast()).isNaN();
    }

    @Test
    void valuesThatAreNoCountsAreLeftOut() {
        scrape(requests(10));
        scrape(requests(Double.NaN));
        scrape(requests(Double.POSITIVE_INFINITY));
        scrape(requests(-5));
        assertThat(points(KEY)).containsOnly(Double.NaN);
        assertThat(numbers().totals().rps()).isNull();
    }

    @Test
    void theLastOfTwoEqualSeriesCounts() {
        scrape(requests(10));
        scrape(requests(99) + requests(20));
        assertThat(points(KEY)).containsExactly(Double.NaN, 2.0);
    }

    @Test
    void theRingKeepsTheNewestAndDropsTheOldest() {
        NodeSeries small = new NodeSeries(new SeriesLimits(4, 16, 4, 4));
        for (int i = 0; i < 10; i++) {
            scrape(small, "queue_depth{service=\"s\",queue=\"q\"} " + i + "\n", 1 + i * STEP);
        }
        SeriesView view = small.read("n", List.of("queue_depth{service=\"s\",queue=\"q\"}"));
        assertThat(view.t()).hasSize(4).isSorted();
        assertThat(view.cols().values().iterator().next())
                .isEqualTo(new dev.ron.admin.view.Points(new double[] {6, 7, 8, 9}));
        assertThat(small.overwritten()).isEqualTo(6);
    }

    @Test
    void aMillionLabelsAreCutToTheCapAndCounted() {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            body.append("gateway_thing{tenant=\"").append(i).append("\"} 1\n");
        }
        scrape(body.toString());
        scrape(body.toString());
        assertThat(ring.tracked()).isEqualTo(256);
        assertThat(ring.dropped()).isGreaterThan(19_000);
        assertThat(ring.bytes()).isLessThan(4 << 20);
    }

    @Test
    void aSeriesWithoutAValueForAWholeWindowIsForgotten() {
        NodeSeries small = new NodeSeries(new SeriesLimits(4, 16, 4, 4));
        scrape(small, "gateway_old 1\nqueue_depth{queue=\"q\"} 1\n", 1);
        for (int i = 1; i < 12; i++) {
            scrape(small, "queue_depth{queue=\"q\"} 1\n", 1 + i * STEP);
        }
        assertThat(small.tracked()).isEqualTo(1);
    }

    @Test
    void quantilesLieInTheirBucket() {
        String before = histogram(0, 0, 0, 0);
        scrape(before);
        scrape(histogram(50, 90, 99, 100));
        Numbers numbers = numbers();
        assertThat(numbers.totals().p50Ms()).isCloseTo(10.0, within(0.001));
        assertThat(numbers.totals().p95Ms()).isBetween(100.0, 1000.0);
        assertThat(numbers.totals().p99Ms()).isCloseTo(1000.0, within(0.001));
    }

    private static String histogram(int a, int b, int c, int inf) {
        String name = "request_latency_seconds_bucket{service=\"s\",route=\"/\",le=\"";
        return name + "0.01\"} " + a + "\n" + name + "0.1\"} " + b + "\n" + name + "1.0\"} " + c + "\n" + name
                + "+Inf\"} " + inf + "\n";
    }

    @Test
    void facetsAreFoundByLabelAndByName() {
        String body = """
                ron_facet_requests_total{facet="tenant/acme",result="ok"} %d
                ron_facet_requests_total{facet="tenant/acme",result="timeout"} %d
                my_own_thing_total{facet="search"} %d
                ron_facet_inflight{facet="tenant/acme"} 3
                """;
        scrape(body.formatted(0, 0, 0));
        scrape(body.formatted(75, 25, 10));
        List<FacetMetrics.Facet> facets = numbers().facets();
        assertThat(facets).extracting(FacetMetrics.Facet::facet).containsExactly("search", "tenant/acme");
        FacetMetrics.Facet acme = facets.get(1);
        assertThat(acme.rps()).isEqualTo(20.0);
        assertThat(acme.errorRate()).isEqualTo(0.25);
        assertThat(acme.inflight()).isEqualTo(3.0);
    }

    /** Rate times covered time is exactly what could be observed: never negative, never more than really happened. */
    @Property(tries = 300)
    void theRateIsWhatWasObserved(@ForAll @Size(min = 2, max = 40) List<@IntRange(min = -3, max = 50) Integer> script) {
        NodeSeries series = new NodeSeries(new SeriesLimits(61, 16, 4, 4));
        double value = 0;
        double truth = 0;
        long at = 1;
        for (int step : script) {
            if (step == -1) {
                series.gap(at / 1_000_000);
            } else if (step == -2) {
                value = 0; // the process starts over
            } else if (step == -3) {
                at += 4 * STEP; // nobody looks for a while
            } else {
                value += step;
                truth += step;
                scrape(series, requests(value), at);
            }
            at += STEP;
        }
        double observed = 0;
        double seconds = 0;
        for (Column column : series.columns().scalars().values()) {
            if (column.name().key().equals(KEY)) {
                for (int slot : series.order()) {
                    if (!Double.isNaN(column.at(slot))) {
                        assertThat(column.at(slot)).isNotNegative();
                        observed += column.at(slot);
                        seconds += series.coveredSeconds(slot);
                    }
                }
                if (seconds > 0) {
                    assertThat(series.rate(column) * seconds).isCloseTo(observed, within(0.001));
                }
            }
        }
        assertThat(observed).isLessThanOrEqualTo(truth + 0.001);
    }

    /** Random observations: the answer lies in the bucket of the true quantile. */
    @Property(tries = 300)
    void aQuantileIsInTheBucketOfTheTruth(
            @ForAll @Size(min = 1, max = 200) List<@IntRange(min = 1, max = 3000) Integer> millis,
            @ForAll @IntRange(min = 1, max = 99) int percent) {
        double[] bounds = {0.001, 0.01, 0.05, 0.1, 0.5, 1, 2, Double.POSITIVE_INFINITY};
        double[] counts = new double[bounds.length];
        List<Integer> sorted = millis.stream().sorted().toList();
        for (int each : millis) {
            for (int i = 0; i < bounds.length; i++) {
                counts[i] += each / 1000.0 <= bounds[i] ? 1 : 0;
            }
        }
        double answer = Quantiles.of(percent / 100.0, bounds, counts, Double.NaN);
        int rank = Math.max(1, (int) Math.ceil(percent / 100.0 * millis.size()));
        double truth = sorted.get(rank - 1) / 1000.0;
        double lower = 0;
        for (double bound : bounds) {
            if (truth <= bound) {
                double upper = Double.isInfinite(bound) ? lower : bound;
                assertThat(answer).isBetween(lower, upper);
                return;
            }
            lower = bound;
        }
    }

    @Test
    void quantilesAtTheEdges() {
        double inf = Double.POSITIVE_INFINITY;
        assertThat(Quantiles.of(0.5, new double[] {}, new double[] {}, 0)).isNaN();
        assertThat(Quantiles.of(0.5, new double[] {1, inf}, new double[] {0, 0}, 0))
                .isNaN();
        assertThat(Quantiles.of(0.5, new double[] {inf}, new double[] {5}, 5)).isNaN();
        assertThat(Quantiles.of(0.9, new double[] {1}, new double[] {5}, 10)).isEqualTo(1);
        assertThat(Quantiles.of(0.5, new double[] {1, 2, inf}, new double[] {6, 4, 10}, 10))
                .isBetween(0.0, 1.0);
        assertThat(Quantiles.of(0.1, new double[] {-1, 2}, new double[] {5, 10}, 10))
                .isEqualTo(-1);
    }
}
