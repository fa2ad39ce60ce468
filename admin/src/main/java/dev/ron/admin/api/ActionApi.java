package dev.ron.admin.api;

import dev.ron.admin.AdminMetrics;
import dev.ron.admin.action.Action;
import dev.ron.admin.action.ActionDesk;
import dev.ron.admin.action.AuditEntry.Deed;
import dev.ron.admin.action.AuditLog;
import dev.ron.admin.auth.Identity;
import dev.ron.admin.sample.NodeRuntime;
import dev.ron.admin.sample.Refreshes;
import dev.ron.admin.view.ActionAsked;
import dev.ron.admin.view.AuditRecord;
import dev.ron.admin.view.Small;
import dev.ron.http.message.QueryParams;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.RonException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Actions on nodes, the wish for a fresh sample, and the audit log. */
final class ActionApi {
    private final ActionDesk desk;
    private final AuditLog audit;
    private final Refreshes refreshes;
    private final NodeApi nodes;
    private final String authMode;
    private final AdminMetrics metrics;

    ActionApi(
            ActionDesk desk,
            AuditLog audit,
            Refreshes refreshes,
            NodeApi nodes,
            String authMode,
            AdminMetrics metrics) {
        this.desk = desk;
        this.audit = audit;
        this.refreshes = refreshes;
        this.nodes = nodes;
        this.authMode = authMode;
        this.metrics = metrics;
    }

    Call act(Action action) {
        return (request, identity) -> {
            ActionDesk.Done done = desk.act(new ActionDesk.Order(
                    action,
                    nodes.node(request),
                    identity,
                    authMode,
                    String.valueOf(request.peer()),
                    request.context().corrId(),
                    request.headers().first("Idempotency-Key").orElse(""),
                    request.json(Json.STRICT, ActionAsked.class)));
            Response response = NodeApi.ok(done.result());
            return done.replayed() ? response.withHeader("Idempotent-Replay", "true") : response;
        };
    }

    /** Who may not act is on record, as far as there is such a node. */
    Door.TurnedAway turnedAway(Action action) {
        return (request, identity, refused) -> nodes.find(request)
                .map(node -> desk.refuse(
                        Deed.of(
                                identity,
                                authMode,
                                String.valueOf(request.peer()),
                                node.id(),
                                node.target().environmentWord(),
                                action.word(),
                                request.context().corrId()),
                        refused))
                .orElse(refused);
    }

    Response refresh(Request request, Identity identity) {
        NodeRuntime node = nodes.node(request);
        try {
            boolean queued = refreshes.ask(node.id());
            return Response.json(202, Json.bytes(new Small.Refreshed(node.id(), queued, !queued)))
                    .withHeader("Cache-Control", "no-store");
        } catch (RonException busy) {
            metrics.busy("refresh");
            throw busy;
        }
    }

    Response audit(Request request, Identity identity) {
        QueryParams query = request.queryParams();
        long before = query.number("before", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        int limit = (int) query.number("limit", 100, 1, 500);
        Predicate<AuditRecord> wanted = matching(query.first("node"), AuditRecord::nodeId)
                .and(matching(query.first("subject"), AuditRecord::subject))
                .and(matching(query.first("action"), AuditRecord::action))
                .and(matching(query.first("result"), AuditRecord::result));
        return NodeApi.ok(audit.page(wanted, before, limit));
    }

    private static Predicate<AuditRecord> matching(Optional<String> wanted, Function<AuditRecord, String> member) {
        return record ->
                wanted.isEmpty() || wanted.get().isEmpty() || wanted.get().equals(member.apply(record));
    }
}
