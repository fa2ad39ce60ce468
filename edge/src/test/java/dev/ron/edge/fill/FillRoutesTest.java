package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.config.FillRouteConfig;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which object of which origin a path and its query mean. */
class FillRoutesTest {
    private final FillRoutes routes = new FillRoutes(List.of(
            route("o/", "https://a.test/s/"), route("o/deep/", "https://b.test/"), route("p/", "https://c.test/")));

    private static FillRouteConfig route(String prefix, String base) {
        return new FillRouteConfig(
                prefix,
                URI.create(base),
                List.of("family", "v"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
    }

    private String target(String query) {
        return routes.key("o/a", query).orElseThrow().target();
    }

    @Test
    void theLongestPrefixWins() {
        assertThat(routes.key("o/deep/a", "")).map(AssetKey::toString).hasValue("https://b.test/a");
        assertThat(routes.key("o/dee", "")).map(AssetKey::toString).hasValue("https://a.test/s/dee");
        assertThat(routes.key("q/a", "")).isEmpty();
        assertThat(routes.key("p/", "")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "v=2&family=Open+Sans, ?family=Open+Sans&v=2",
        "family=b&v=1&family=a, ?family=b&family=a&v=1", // what a name says twice is said in that order
        "x=1&v=2&y=%zz, ?v=2", // whatever is not listed is left out, well-formed or not
        "v, ?v",
        "v=, ?v=",
        "x=1, ''",
        "'', ''"
    })
    void ofAQueryWhatIsListedIsPassedOnByItsNames(String query, String kept) {
        assertThat(target(query)).isEqualTo("/s/a" + kept);
    }

    @Test
    void everyCharacterOfAQueryIsPassedOn() {
        String all = "v=aZ09-._~!$'()*+,;=:@/?%2F%c3";
        assertThat(target(all)).isEqualTo("/s/a?" + all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v=a b", "v=\"", "v=<", "v=[1]", "v=%", "v=%2", "v=%zz", "v=\u00e9", "v=1&v=|"})
    void whatNoQueryMayHoldIsRefused(String query) {
        assertThatThrownBy(() -> target(query))
                .isInstanceOfSatisfying(
                        RonException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(Code.BAD_REQUEST));
    }
}
