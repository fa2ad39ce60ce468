package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.RonException;
import org.junit.jupiter.api.Test;

class SpareTest {
    private static final int MIB = 1 << 20;

    // 32 MiB for all | shares of 8  ->  the fifth is refused, until one is given back
    @Test
    void noMoreIsTakenThanThereIs() {
        Spare spare = new Spare(64 * MIB);
        try (Spare.Share one = spare.share();
                Spare.Share other = spare.share()) {
            for (int i = 0; i < 3; i++) {
                assertThat(one.array(8 * MIB)).hasSize(8 * MIB);
            }
            assertThat(other.array(8 * MIB)).hasSize(8 * MIB);
            assertThatThrownBy(() -> other.array(1))
                    .isInstanceOfSatisfying(
                            RonException.class, why -> assertThat(why.reason()).isEqualTo("busy"));
            one.clear();
            assertThat(other.array(24 * MIB)).hasSize(24 * MIB);
        }
        try (Spare.Share all = spare.share()) {
            assertThat(all.array(32 * MIB)).hasSize(32 * MIB);
        }
    }
}
