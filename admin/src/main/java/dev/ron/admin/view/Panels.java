package dev.ron.admin.view;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/nodes/{id}/panels}: what each service of a node says about its own subject.
 *
 * <p>A panel whose {@code available} is false says why in {@code cause}; all its numbers are then null or empty.
 */
public record Panels(String nodeId, Gateway gateway, Edge edge, Passport passport, Registry registry) {

    /**
     * Tenants and fairness.
     *
     * @param contended whether anybody had to wait in the window: only then is there something to share
     * @param jain 1 where each tenant that waited was served in proportion to its quantum
     * @param shareError how far the gateway itself sees any tenant that always waited from its share
     */
    public record Gateway(
            boolean available,
            @Nullable String cause,
            @Nullable Boolean degraded,
            @Nullable Boolean contended,
            @Nullable Double jain,
            @Nullable Double shareError,
            List<Tenant> tenants,
            List<Upstream> upstreams) {}

    public record Tenant(
            String id,
            @Nullable Double quantum,
            @Nullable Double depth,
            @Nullable Double servedPerSec,
            @Nullable Double droppedPerSec,
            @Nullable Double share,
            @Nullable Double fairShare) {}

    /** {@code trouble} says why the gateway sheds work for it; null where it does not. */
    public record Upstream(
            String id,
            @Nullable Long inflight,
            @Nullable Long limit,
            @Nullable Long waiting,
            @Nullable String trouble,
            List<UpstreamTarget> targets) {}

    public record UpstreamTarget(
            String url, @Nullable Boolean healthy, @Nullable String circuit) {}

    /** Cache and fills; ratios 0 to 1. */
    public record Edge(
            boolean available,
            @Nullable String cause,
            @Nullable Double hitRatio,
            @Nullable Double hitsPerSec,
            @Nullable Double missesPerSec,
            @Nullable Double bytesOutPerSec,
            @Nullable Double casBytes,
            @Nullable Double casMaxBytes,
            List<FillHost> fills,
            List<Map<String, Object>> packs,
            Points hitRatioSpark) {}

    public record FillHost(
            String host,
            @Nullable Double attemptsPerSec,
            @Nullable Double successRatio) {}

    /** Issuing, verifying, revoking; and the key service behind it. */
    public record Passport(
            boolean available,
            @Nullable String cause,
            @Nullable Double issuedPerSec,
            @Nullable Double verifiedPerSec,
            @Nullable Double revokedPerSec,
            @Nullable Double issueP95Ms,
            @Nullable Double issueP99Ms,
            @Nullable Double epoch,
            @Nullable Double revocations,
            @Nullable Boolean kmsOk,
            @Nullable String kmsBreaker,
            List<String> keys,
            @Nullable Double policyVersion,
            List<MetricsSummary.RejectLine> rejects) {}

    /** The log's head and what waits for approval. */
    public record Registry(
            boolean available,
            @Nullable String cause,
            @Nullable Double headVersion,
            @Nullable String headHash,
            @Nullable Double commitsPerSec,
            @Nullable Double commitP95Ms,
            @Nullable Double checkpointAgeSeconds,
            @Nullable Boolean verifyOk,
            @Nullable Double pendingCount,
            List<Proposal> pending) {}

    /** A proposal, and the command that approves it. */
    public record Proposal(
            String proposalId,
            @Nullable String title,
            @Nullable Long approvals,
            @Nullable Long quorum,
            @Nullable Double ageSeconds,
            String approveCommand) {}
}
