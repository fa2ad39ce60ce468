package dev.ron.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class FacetsTest {
    private final Metrics metrics = new Metrics();
    private final Facets facets = metrics.service("gateway").facets("tenant", 2);

    @Test
    void countsResultsLatencyAndWorkInHand() {
        Facets.Call running = facets.begin("acme");
        facets.begin("acme").end(true, 3_000_000);
        facets.begin("acme").end(false, 3_000_000);
        assertThat(page())
                .contains("ron_facet_requests_total{facet=\"tenant/acme\",result=\"ok\",service=\"gateway\"} 1.0")
                .contains("ron_facet_requests_total{facet=\"tenant/acme\",result=\"error\",service=\"gateway\"} 1.0")
                .contains("ron_facet_latency_seconds_count{facet=\"tenant/acme\",service=\"gateway\"} 2")
                .contains("ron_facet_inflight{facet=\"tenant/acme\",service=\"gateway\"} 1.0");
        running.end(true, 1);
        running.end(true, 1);
        assertThat(page())
                .contains("ron_facet_inflight{facet=\"tenant/acme\",service=\"gateway\"} 0.0")
                .contains("{facet=\"tenant/acme\",result=\"ok\",service=\"gateway\"} 2.0");
    }

    @Test
    void namesBeyondTheLimitAreOther() {
        work("a", 10);
        work("b", 10);
        work("c", 3);
        assertThat(page())
                .contains("{facet=\"tenant/other\",result=\"ok\",service=\"gateway\"} 3.0")
                .doesNotContain("tenant/c");
    }

    @Test
    void aBusierNameTakesThePlaceOfAnIdleOne() {
        work("a", 100);
        work("b", 1);
        work("c", 50);
        page();
        work("c", 5);
        assertThat(page())
                .contains("facet=\"tenant/a\"", "{facet=\"tenant/c\",result=\"ok\",service=\"gateway\"} 5.0")
                .contains("{facet=\"tenant/other\",result=\"ok\",service=\"gateway\"} 50.0")
                .doesNotContain("tenant/b");
    }

    @Test
    void aServiceMayHaveSeveralBreakdowns() {
        Facets routes = metrics.service("gateway").facets("route", 2);
        routes.begin("/demo").end(true, 1);
        work("a", 1);
        assertThat(page()).contains("facet=\"route//demo\"", "facet=\"tenant/a\"");
    }

    /** Whatever names clients invent, the number of series is bounded and the page stays readable. */
    @Property(tries = 50)
    void inventedNamesCannotGrowThePage(@ForAll @Size(max = 40) List<@StringLength(max = 120) String> names) {
        Metrics own = new Metrics();
        Facets few = own.service("gateway").facets("tenant", 3);
        for (int round = 0; round < 3; round++) {
            names.forEach(n -> few.begin(n).end(true, 1));
            String text = new String(own.scrape("").body(), StandardCharsets.UTF_8);
            assertThat(Pattern.compile("^ron_facet_inflight\\{", Pattern.MULTILINE)
                            .matcher(text)
                            .results()
                            .count())
                    .isLessThanOrEqualTo(4);
        }
    }

    private void work(String name, int times) {
        for (int i = 0; i < times; i++) {
            facets.begin(name).end(true, 1);
        }
    }

    private String page() {
        return new String(metrics.scrape("").body(), StandardCharsets.UTF_8);
    }
}
