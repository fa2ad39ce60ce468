package dev.ron.admin.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No order of sampling, answering, refreshing, reloading and stopping breaks a promise; leaving out any one rule does. */
class ConsoleModelTest {
    @Test
    void everyOrderKeepsEveryPromise() {
        ConsoleModel.Finding finding = new ConsoleModel(ConsoleModel.Mutant.NONE).explore();
        assertThat(finding.broken()).isEmpty();
        assertThat(finding.states()).isGreaterThan(5_000);
    }

    @ParameterizedTest
    @CsvSource({
        "READ_WITHOUT_LOCK,torn read",
        "LOCKS_BACKWARDS,stuck",
        "LOCK_ACROSS_FETCH,lock across a wait",
        "DEAF_SAMPLER,stuck",
        "DEAF_REFRESHER,stuck",
        "CLOSE_BEFORE_JOIN,used after close",
        "ADMIT_WHILE_DRAINING,used after close",
        "KEYS_READ_TWICE,mixed keys"
    })
    void everyRuleIsNeeded(ConsoleModel.Mutant mutant, String promise) {
        assertThat(new ConsoleModel(mutant).explore().broken()).contains(promise);
    }
}
