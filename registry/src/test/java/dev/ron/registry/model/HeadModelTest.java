package dev.ron.registry.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No order of appends, syncs, answers and crashes breaks a promise; leaving out any one rule does. */
class HeadModelTest {
    @Test
    void everyOrderKeepsEveryPromise() {
        HeadModel.Finding finding = new HeadModel(HeadModel.Mutant.NONE).explore();
        assertThat(finding.broken()).isEmpty();
        assertThat(finding.states()).isGreaterThan(5_000);
    }

    @ParameterizedTest
    @CsvSource({
        "NO_COMPARE_AND_SET,chain",
        "NO_DUPLICATE_CHECK,double",
        "PUBLISH_BEFORE_SYNC,rollback",
        "ACKNOWLEDGE_BEFORE_SYNC,acknowledged and lost",
        "SYNC_LIES,rollback"
    })
    void everyRuleIsNeeded(HeadModel.Mutant mutant, String promise) {
        HeadModel.Finding finding = new HeadModel(mutant).explore();
        assertThat(finding.broken()).contains(promise);
    }
}
