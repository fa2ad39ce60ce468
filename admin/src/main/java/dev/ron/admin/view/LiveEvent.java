package dev.ron.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The data of each kind of event on {@code GET /api/events}. */
public final class LiveEvent {
    private LiveEvent() {}

    /** First of every stream: what the client compares with what it has. */
    public record Hello(long version, long configVersion, boolean resumed) {}

    /** Rows that changed. */
    public record NodeChange(List<NodeRow> rows) {}

    /** Nodes that are no longer watched. */
    public record Gone(List<String> ids) {}

    /** New points of the golden series of a node that the stream asked for. */
    public record MetricsPoint(String nodeId, SeriesView series, MetricsSummary.Totals totals) {}

    /** A line of the audit log; operators and above only. */
    public record Audited(AuditRecord record) {}

    public record ConfigChanged(
            long version, boolean ok, @Nullable String error) {}

    /** The issuer's keys: fresh, offline or unavailable. */
    public record AuthChanged(String state) {}

    /** Some events were lost: read {@code /api/nodes} again. */
    public record Lagged(long dropped) {}

    /** The stream ends; reason is shutdown, expired or policy. */
    public record Bye(String reason) {}
}
