package dev.ron.gateway.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.arbiter.TenantView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TroubleTest {
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
            outcomes.add(new TenantKey("", "broken"), true);
            outcomes.add(new TenantKey("", "fine"), false);
        }
        assertThat(outcomes.badShare(50)).isZero();
        for (int i = 0; i < 1000; i++) {
            outcomes.add(new TenantKey("", "fine"), true);
        }
        assertThat(outcomes.badShare(50)).isGreaterThan(0.3);
    }

    @Test
    void whoIsAloneIsJudgedAlone() {
        TenantOutcomes outcomes = new TenantOutcomes();
        for (int i = 0; i < 100; i++) {
            outcomes.add(new TenantKey("", "only"), true);
        }
        assertThat(outcomes.badShare(50)).isEqualTo(1);
    }
}
