package dev.ron.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.VirtualClock;
import dev.ron.token.verify.Obligations;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AllowancesTest {
    private final VirtualClock clock = new VirtualClock();
    private final Allowances allowances = new Allowances(clock);

    private static Obligations budget(String id, String block, long requests, long bytes) {
        return new Obligations(
                OptionalLong.empty(),
                List.of(),
                List.of(new Obligations.Budget(
                        new Obligations.Counter("iss", id, block, 0),
                        OptionalLong.of(requests),
                        OptionalLong.of(bytes))));
    }

    private long soon() {
        return clock.now().getEpochSecond() + 60;
    }

    @Test
    void aBudgetIsSpentOnceAndStaysSpent() {
        allowances.charge(budget("a", "", 1, 10), soon());
        assertThatThrownBy(() -> allowances.charge(budget("a", "", 1, 10), soon()))
                .hasMessageContaining("used up");
        clock.advance(Duration.ofSeconds(100));
        allowances.sweep(); // expired, but a verifier may still accept it within the skew
        assertThatThrownBy(() -> allowances.charge(budget("a", "", 1, 10), soon()))
                .hasMessageContaining("used up");
        clock.advance(Duration.ofSeconds(400));
        allowances.sweep();
        assertThat(allowances.size()).isZero();
    }

    @Test
    void bytesAreBoundedOverAllRequests() {
        Allowances.Purse first = allowances.charge(budget("a", "", 9, 10), soon());
        Allowances.Purse second = allowances.charge(budget("a", "", 9, 10), soon());
        assertThat(first.pay(6)).isTrue();
        assertThat(second.pay(4)).isTrue();
        assertThat(second.pay(1)).isFalse();
    }

    @Test
    void aHolderCannotMakeRoomByMakingBranches() {
        for (int i = 0; i < Allowances.PER_ROOT; i++) {
            allowances.charge(budget("a", "block" + i, 1, 1), soon());
        }
        assertThatThrownBy(() -> allowances.charge(budget("a", "one more", 1, 1), soon()))
                .hasMessageContaining("too many counted branches");
        allowances.charge(budget("b", "", 1, 1), soon()); // others are not hurt
    }
}
