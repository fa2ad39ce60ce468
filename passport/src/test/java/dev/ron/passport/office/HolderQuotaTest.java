package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.token.keys.Revocation;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Branches cost a holder nothing, so what holders revoke must not fill the office's memory or end anybody else's tokens. */
class HolderQuotaTest {
    private static final long NOW = 1_800_000_000L;

    private final HolderQuota quota = new HolderQuota();

    private static Command.Revoke by(String tenant, String root, int branch) {
        return new Command.Revoke(
                new Revocation.Id("branch-" + root + "-" + branch, NOW + 600),
                "logout",
                tenant,
                Optional.of(new Revocation.Id(root, NOW + 600)),
                false);
    }

    // the first few branches of a root each for itself  ->  then the root stands for all of them
    @Test
    void manyBranchesCollapseToTheirRoot() {
        for (int i = 0; i < HolderQuota.BRANCHES_PER_ROOT; i++) {
            assertThat(quota.take(by("acme", "r", i), NOW).id()).isEqualTo("branch-r-" + i);
        }
        assertThat(quota.take(by("acme", "r", 99), NOW).id()).isEqualTo("r");
        assertThat(quota.take(by("acme", "other", 0), NOW).id()).isEqualTo("branch-other-0");
    }

    // one tenant's holders have had their share  ->  they are refused until tomorrow, others are not, and
    // no floor moves
    @Test
    void aTenantsHoldersHaveAShareAndNoMore() {
        for (int i = 0; i < HolderQuota.PER_TENANT; i++) {
            quota.take(by("acme", "r" + i, 0), NOW);
        }
        assertThatThrownBy(() -> quota.take(by("acme", "more", 0), NOW + 10))
                .isInstanceOfSatisfying(RonException.class, refused -> {
                    assertThat(refused.code()).isEqualTo(Code.QUOTA_EXHAUSTED);
                    assertThat(refused.retryAfter()).hasValue(Duration.ofDays(1).minusSeconds(10));
                });
        assertThat(quota.take(by("globex", "r", 0), NOW).id()).isEqualTo("branch-r-0");
        assertThat(quota.take(by("acme", "more", 0), NOW + 24 * 3600).id()).isEqualTo("branch-more-0");
    }
}
