package dev.ron.admin.truth;

import dev.ron.admin.view.Cause;
import dev.ron.admin.view.NodeDetail;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a round adds up to: a state with its causes, and everything the node said that can be shown. */
public record Verdict(
        State state,
        @Nullable Boolean ready,
        @Nullable Boolean writeReady,
        List<Cause> causes,
        List<NodeDetail.Plane> planes,
        Said said,
        boolean partial) {

    /** A node's own words. */
    public record Said(
            @Nullable String service,
            @Nullable String profile,
            @Nullable String version,
            @Nullable String instanceId,
            @Nullable String gitSha,
            @Nullable String buildTs,
            @Nullable String runtime,
            @Nullable Boolean amnesia,
            @Nullable Long uptimeSeconds,
            @Nullable String phase,
            NodeDetail.@Nullable ConfigState config,
            List<String> capabilities,
            List<NodeDetail.Queue> queues,
            List<NodeDetail.Task> tasks,
            Map<String, Boolean> readyKeys,
            Map<String, Object> serviceData) {}

    public boolean draining() {
        return state == State.DRAINING;
    }

    /** The state of a node, worst first. */
    public enum State {
        UNREACHABLE("danger"),
        STALE("muted"),
        DRAINING("info"),
        DOWN("danger"),
        NOT_READY("warn"),
        UNKNOWN("muted"),
        DEGRADED("warn"),
        READY("ok");

        private final String tone;

        State(String tone) {
            this.tone = tone;
        }

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        /** The colour; a prod node that is not ready is a danger. */
        public String tone(boolean prod) {
            return this == NOT_READY && prod ? "danger" : tone;
        }
    }
}
