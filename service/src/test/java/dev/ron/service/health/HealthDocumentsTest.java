package dev.ron.service.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealthDocumentsTest {
    private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void readyzSaysWhatIsMissingAndWhy() {
        ReadyView view = ReadyView.of(
                List.of(
                        new KeyState("verify_preflight", Need.READ, true, ""),
                        new KeyState("dep:kms", Need.WRITE, false, "no answer in 3s")),
                SINCE);
        assertThat(text(ReadyDocument.body(view, "running", 7)))
                .isEqualTo(
                        "{\"ready\":true,\"write_ready\":false,\"degraded\":true,\"missing\":[\"dep:kms\"],\"retry_after\":5,"
                                + "\"since\":\"2026-01-01T00:00:00Z\",\"components\":{\"dep:kms\":false,\"verify_preflight\":true},"
                                + "\"causes\":{\"dep:kms\":\"no answer in 3s\"},"
                                + "\"phase\":\"running\",\"mode\":\"truthful\",\"config_version\":7}");
    }

    @Test
    void readyzOfAHealthyServiceHasNothingToExplain() {
        ReadyView view = ReadyView.of(List.of(new KeyState("listener_bound", Need.READ, true, "")), SINCE);
        assertThat(text(ReadyDocument.body(view, "running", 1)))
                .isEqualTo("{\"ready\":true,\"write_ready\":true,\"degraded\":false,\"missing\":[],"
                        + "\"since\":\"2026-01-01T00:00:00Z\",\"components\":{\"listener_bound\":true},"
                        + "\"phase\":\"running\",\"mode\":\"truthful\",\"config_version\":1}");
    }

    @Test
    void aNodeNamesTheServiceOfAKey() {
        ReadyView gateway = ReadyView.of(List.of(new KeyState("draining", Need.READ, false, "stopping")), SINCE);
        ReadyView node = ReadyView.combined(ReadyView.of(List.of(), SINCE), Map.of("gateway", gateway));
        assertThat(node.missing()).extracting(KeyState::name).containsExactly("gateway.draining");
        assertThat(node.retryAfterSeconds()).isEqualTo(1);
    }

    @Test
    void healthzFailsOnlyWhenNothingRunsAnyMore() {
        VirtualClock clock = new VirtualClock();
        Heartbeat heart = new Heartbeat(clock, SINCE);
        clock.advance(Heartbeat.STUCK);
        assertThat(text(heart.body(false)))
                .isEqualTo("{\"ok\":true,\"checks\":{\"scheduler\":\"ok\",\"clock\":\"ok\"}}");
        clock.advance(Duration.ofNanos(1));
        assertThat(text(heart.body(false)))
                .isEqualTo("{\"ok\":false,\"checks\":{\"scheduler\":\"stuck\",\"clock\":\"ok\"}}");
        heart.beat();
        assertThat(heart.alive()).isTrue();
        assertThat(text(heart.body(true))).contains("\"ok\":false");
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.UTF_8);
    }
}
