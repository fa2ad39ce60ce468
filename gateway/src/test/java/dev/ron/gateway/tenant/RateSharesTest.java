package dev.ron.gateway.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateSharesTest {
    private static final GatewayConfig.Drr LIMITS =
            new GatewayConfig.Drr(1, Map.of("double", 2), 500, 50, Duration.ofSeconds(1));

    private final VirtualClock clock = new VirtualClock();
    private final Accounts accounts = new Accounts(clock);
    private final RateShares shares = new RateShares(accounts);

    /** Sends at these rates for ten seconds and tells how many passed for each. */
    private int[] send(String[] names, int[] rates) {
        int[] passed = new int[names.length];
        int[] owed = new int[names.length]; // thousandths of a request
        for (int step = 0; step < 10_000; step++) {
            clock.advance(Duration.ofMillis(1));
            for (int i = 0; i < names.length; i++) {
                owed[i] += rates[i];
                while (owed[i] >= 1000) {
                    owed[i] -= 1000;
                    passed[i] += passes(names[i]) ? 1 : 0;
                }
            }
        }
        return passed;
    }

    private boolean passes(String name) {
        try {
            shares.take(accounts.of(new TenantKey("", name), clock.nanos()), LIMITS, clock.nanos());
            return true;
        } catch (RonException refused) {
            assertThat(refused.detail()).contains("gateway.drr.rate_limit_rps");
            return false;
        }
    }

    @Test
    void aSmallTenantLosesNothingToALargeOneAndTheLargeOneGetsTheRest() {
        int[] passed = send(new String[] {"small", "large"}, new int[] {100, 5000});
        assertThat(passed[0]).isEqualTo(1000);
        assertThat(passed[1]).isBetween(3900, 4110);
    }

    @Test
    void twoThatWantMoreGetItByTheirQuanta() {
        int[] passed = send(new String[] {"single", "double"}, new int[] {2000, 2000});
        assertThat(passed[1] / (double) passed[0]).isBetween(1.8, 2.2);
        assertThat(passed[0] + passed[1]).isLessThanOrEqualTo(5000 + 2 * 50 + 10);
    }

    @Test
    void withoutALimitNothingIsCounted() {
        GatewayConfig.Drr none = new GatewayConfig.Drr(1, Map.of(), 0, 0, Duration.ofSeconds(1));
        assertThat(shares.take(accounts.of(new TenantKey("", "a"), 0), none, 0)).isEqualTo(RateShares.Standing.NONE);
    }

    @Test
    void beyondTheBoundTenantsShareOneAccount() {
        for (int i = 0; i < Accounts.MOST; i++) {
            accounts.of(new TenantKey("", "t" + i), clock.nanos());
        }
        assertThat(accounts.of(new TenantKey("", "late"), clock.nanos()).key()).isEqualTo(TenantKey.OVERFLOW);
        assertThat(accounts.size()).isEqualTo(Accounts.MOST);
        clock.advance(Duration.ofSeconds(61));
        accounts.sweep();
        assertThat(accounts.of(new TenantKey("", "late"), clock.nanos()).key().id())
                .isEqualTo("late");
    }
}
