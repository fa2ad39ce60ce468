package dev.ron.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.arbiter.TenantView;
import dev.ron.gateway.upstream.Trouble.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TroubleTest {
    private static final TenantKey BROKEN = new TenantKey("", "broken");
    private static final TenantKey FINE = new TenantKey("", "fine");
    private static final Signals QUIET = seen(0, 0, 0, 0, 0);

    private static TenantView waiting(String id, int weight, int jobs) {
        return new TenantView(new TenantKey("", id), weight, 1, 0, jobs, 0, 1, 0, 0, Map.of(), 0, 0, 0);
    }

    /** However much it sends and whatever it weighs beside small ones of the same weight, one tenant is not enough. */
    @Property(tries = 300)
    void oneTenantAloneNeverFillsTheQueue(
            @ForAll @IntRange(min = 1, max = 1000) int weight,
            @ForAll @IntRange(min = 0, max = 512) int jobs,
            @ForAll @IntRange(min = 0, max = 20) int others) {
        List<TenantView> tenants = new ArrayList<>(List.of(waiting("flood", weight, jobs)));
        for (int i = 0; i < others; i++) {
            tenants.add(waiting("small" + i, weight, 1));
        }
        assertThat(Trouble.backlog(tenants, 512)).isLessThanOrEqualTo(0.5 + others / 512.0);
    }

    @Test
    void manyTogetherDo() {
        List<TenantView> tenants = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tenants.add(waiting("t" + i, 1, 64));
        }
        assertThat(Trouble.backlog(tenants, 512)).isGreaterThan(0.8);
    }

    @Test
    void oneTenantsFailuresAreNotEveryones() {
        TenantOutcomes outcomes = new TenantOutcomes();
        for (int i = 0; i < 1000; i++) {
            outcomes.add(BROKEN, true, 1);
            outcomes.add(FINE, false, 1);
        }
        assertThat(outcomes.look(50).bad()).isZero();
        for (int i = 0; i < 1000; i++) {
            outcomes.add(FINE, true, 1);
        }
        assertThat(outcomes.look(50).bad()).isGreaterThan(0.3);
    }

    @Test
    void oneTenantsSlowPathIsNotEveryones() {
        TenantOutcomes outcomes = new TenantOutcomes();
        for (int i = 0; i < 1000; i++) {
            outcomes.add(BROKEN, false, Duration.ofSeconds(5).toNanos());
            outcomes.add(FINE, false, Duration.ofMillis(5).toNanos());
        }
        assertThat(outcomes.look(50)).isEqualTo(new TenantOutcomes.Shares(0, 0, 0));
        for (int i = 0; i < 100; i++) {
            outcomes.add(FINE, false, Duration.ofMillis(400).toNanos());
            outcomes.add(FINE, false, Duration.ofMillis(600).toNanos());
        }
        TenantOutcomes.Shares both = outcomes.look(50);
        assertThat(both.slow()).isBetween(0.05, 0.1);
        assertThat(both.lazy()).isBetween(0.1, 0.2);
    }

    @Test
    void whoIsAloneCausesNothing() {
        TenantOutcomes outcomes = new TenantOutcomes();
        for (int i = 0; i < 100; i++) {
            outcomes.add(BROKEN, true, Duration.ofSeconds(5).toNanos());
        }
        assertThat(outcomes.look(50)).isEqualTo(new TenantOutcomes.Shares(0, 0, 0));
    }

    /** Every signal: it must enter, stay between the two thresholds, and leave five seconds after calm returned. */
    static Stream<Arguments> signals() {
        return Stream.of(
                arguments("queues are full", seen(0.8, 0, 0, 0, 0), seen(0.6, 0, 0, 0, 0)),
                arguments("failing answers", seen(0, 0.06, 0, 0, 0), seen(0, 0.03, 0, 0, 0)),
                arguments("slow answers", seen(0, 0, 0.02, 0.02, 0), seen(0, 0, 0, 0.02, 0)),
                arguments("memory is short", seen(0, 0, 0, 0, 0.9), seen(0, 0, 0, 0, 0.8)));
    }

    private static Signals seen(double backlog, double bad, double slow, double lazy, double heap) {
        return new Signals(backlog, false, new TenantOutcomes.Shares(bad, slow, lazy), true, heap);
    }

    @ParameterizedTest
    @MethodSource("signals")
    void eachSignalShedsAndLetsGoOnlyAfterAWhileOfCalm(String why, Signals high, Signals between) {
        Trouble trouble = new Trouble();
        Shedding shedding = new Shedding();
        for (int second = 0; second < 2; second++) {
            trouble.look(high, shedding, Duration.ofSeconds(second).toNanos());
        }
        assertThat(shedding.on()).isTrue();
        assertThat(shedding.why()).isEqualTo(why);
        for (int second = 2; second < 30; second++) {
            trouble.look(between, shedding, Duration.ofSeconds(second).toNanos());
        }
        assertThat(shedding.on())
                .as("between the two thresholds nothing changes")
                .isTrue();
        for (int second = 30; second < 35; second++) {
            trouble.look(QUIET, shedding, Duration.ofSeconds(second).toNanos());
            assertThat(shedding.on()).as("calm for %s s", second - 30).isTrue();
        }
        trouble.look(QUIET, shedding, Duration.ofSeconds(35).toNanos());
        assertThat(shedding.on()).isFalse();
    }

    @Test
    void aFullQueueCountsOnlyWhenItLasts() {
        Trouble trouble = new Trouble();
        Shedding shedding = new Shedding();
        for (int half = 0; half < 20; half++) {
            Signals now = half % 2 == 0 ? seen(1, 0, 0, 0, 0) : QUIET;
            trouble.look(now, shedding, Duration.ofMillis(500L * half).toNanos());
            assertThat(shedding.on()).isFalse();
        }
    }

    @Test
    void slowAnswersOfAnUpstreamThatCanBeMissedDoNotCount() {
        Trouble trouble = new Trouble();
        Shedding shedding = new Shedding();
        trouble.look(new Signals(0, false, new TenantOutcomes.Shares(0, 1, 1), false, 0), shedding, 0);
        assertThat(shedding.on()).isFalse();
    }
}
