package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TopologyTest {
    @Test
    void queuesHaveTheNumbersOfTheModel() {
        assertThat(PassportTopology.ISSUE.capacity()).isEqualTo(512);
        assertThat(PassportTopology.REVOKE.capacity()).isEqualTo(256);
        assertThat(PassportTopology.POLICY.capacity()).isEqualTo(1024);
    }

    @Test
    void thePoolIsOnePerCoreAndAtMostEight() {
        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(PassportTopology.poolSize()).isEqualTo(Math.min(cores, 8)).isBetween(1, 8);
    }

    @Test
    void thereIsOneRevocationWorkerAndNoMore() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            String page = new String(office.frame().metrics().scrape("").body(), StandardCharsets.UTF_8);
            assertThat(page)
                    .containsPattern("tasks_spawned_total\\{kind=\"revocation\"[^}]*\\} 1\\.0")
                    .containsPattern(
                            "tasks_spawned_total\\{kind=\"issuance\"[^}]*\\} " + PassportTopology.poolSize() + "\\.0");
        }
    }
}
