package dev.ron.passport.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.Shorthand;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaveatBoundsTest {
    private static final CaveatBounds BOUNDS = new CaveatBounds(List.of("path"), 1000, 100, 2000, 5);

    private static List<Caveat> caveats(String... texts) throws Refused {
        List<Caveat> all = new ArrayList<>();
        for (String text : texts) {
            all.add(Shorthand.parse(text, 0));
        }
        return all;
    }

    @Test
    void whatIsRequiredMustBeThereAndMayBeInherited() throws Refused {
        assertThatThrownBy(() -> BOUNDS.require(caveats("method=GET"), List.of()))
                .hasMessageContaining("every token carries a caveat path here");
        assertThatCode(() -> BOUNDS.require(caveats("path=/a/"), List.of())).doesNotThrowAnyException();
        assertThatCode(() -> BOUNDS.require(List.of(), caveats("path=/a/"))).doesNotThrowAnyException();
        assertThatCode(() -> CaveatBounds.NONE.require(List.of(), List.of())).doesNotThrowAnyException();
    }

    @Test
    void eachNumberHasItsBoundAndTheBoundItselfIsWithin() throws Refused {
        for (String good : List.of("bytes=1000", "budget.reqs=100", "budget.bytes=2000", "rate.rps=5")) {
            assertThatCode(() -> BOUNDS.require(caveats("path=/", good), List.of()))
                    .as(good)
                    .doesNotThrowAnyException();
        }
        for (String bad : List.of("bytes=1001", "budget.reqs=101", "budget.bytes=2001", "rate.rps=6")) {
            assertThatThrownBy(() -> BOUNDS.require(caveats("path=/", bad), List.of()))
                    .as(bad)
                    .hasMessageContaining("expected: at most");
            assertThatCode(() -> CaveatBounds.NONE.require(caveats(bad), List.of()))
                    .as("no bound, %s", bad)
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> BOUNDS.require(List.of(new Caveat.Rate(5, 6)), caveats("path=/")))
                .as("a burst that would go around it")
                .hasMessageContaining("rate.rps");
    }

    // a registry's bounds and a file's  ->  the tighter of each, whichever says it
    @Test
    void twoPoliciesTogetherAskForTheMoreOfBoth() {
        CaveatBounds file = new CaveatBounds(List.of("scope", "path"), 0, 50, 3000, 9);
        CaveatBounds both = new CaveatBounds(List.of("path", "scope"), 1000, 50, 2000, 5);
        assertThat(BOUNDS.and(file)).isEqualTo(both);
        assertThat(file.and(BOUNDS)).isEqualTo(new CaveatBounds(List.of("scope", "path"), 1000, 50, 2000, 5));
        assertThat(CaveatBounds.NONE.and(BOUNDS)).isEqualTo(BOUNDS);
    }
}
