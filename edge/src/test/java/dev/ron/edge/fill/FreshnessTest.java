package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Headers;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts of what an origin says of freshness. */
class FreshnessTest {

    @Test
    void aLifetimeThatIsNoNumberIsOverAndALongOneTheLongest() {
        Map<String, Optional<Integer>> said = Map.ofEntries(
                Map.entry("max-age=60", Optional.of(60)),
                Map.entry("public, Max-Age = 60", Optional.of(60)),
                Map.entry("max-age=\"60\"", Optional.of(60)),
                Map.entry("max-age=060", Optional.of(60)),
                Map.entry("max-age=60, s-maxage=5", Optional.of(5)),
                Map.entry("max-age=1, max-age=2", Optional.of(1)),
                Map.entry("max-age=-1", Optional.of(0)),
                Map.entry("max-age=1.5", Optional.of(0)),
                Map.entry("max-age=soon", Optional.of(0)),
                Map.entry("max-age=\"60", Optional.of(0)),
                Map.entry("max-age=", Optional.of(0)),
                Map.entry("max-age", Optional.of(0)),
                Map.entry("max-age=99999999999999999999", Optional.of(Integer.MAX_VALUE)),
                Map.entry("x-max-age=60", Optional.empty()),
                Map.entry("public", Optional.empty()));
        said.forEach((text, seconds) -> assertThat(Freshness.NOTHING_SAID
                        .with(Headers.of("Cache-Control", text))
                        .lifetime())
                .as(text)
                .isEqualTo(seconds));
    }
}
