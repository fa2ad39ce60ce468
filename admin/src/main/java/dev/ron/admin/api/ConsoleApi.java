package dev.ron.admin.api;

import dev.ron.admin.action.Action;
import dev.ron.admin.action.ActionDesk;
import dev.ron.admin.action.AuditEntry.Deed;
import dev.ron.admin.action.OwnReload;
import dev.ron.admin.auth.Identity;
import dev.ron.admin.sample.NodeTarget;
import dev.ron.admin.view.ConsoleView;
import dev.ron.admin.view.Small;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.service.reload.ReloadReport;
import java.time.Duration;
import java.util.function.Supplier;

/** The console about itself. */
final class ConsoleApi {
    /** For the answer, and for the line of the audit log before it. */
    private static final Duration ROOM_TO_ANSWER = Duration.ofMillis(200);

    private final Supplier<ConsoleView> view;
    private final OwnReload reload;
    private final ActionDesk desk;
    private final String authMode;

    ConsoleApi(Supplier<ConsoleView> view, OwnReload reload, ActionDesk desk, String authMode) {
        this.view = view;
        this.reload = reload;
        this.desk = desk;
        this.authMode = authMode;
    }

    Response show(Request request, Identity identity) {
        return NodeApi.ok(view.get());
    }

    Response reload(Request request, Identity identity) {
        try {
            ReloadReport report = reload.run(
                    deed(request, identity), request.context().deadline().minus(ROOM_TO_ANSWER));
            String message = report.details().isEmpty() ? null : String.join("\n", report.details());
            return accepted(new Small.Reloaded(true, report.outcome().word(), report.version(), message));
        } catch (RonException e) {
            if (e.code() != Code.TIMEOUT) {
                throw e;
            }
            return accepted(new Small.Reloaded(true, null, null, "still running; an event tells how it ends"));
        }
    }

    /** Who may not reload is on record. */
    RonException turnedAway(Request request, Identity identity, RonException refused) {
        return desk.refuse(deed(request, identity), refused);
    }

    private Deed deed(Request request, Identity identity) {
        return Deed.of(
                identity,
                authMode,
                String.valueOf(request.peer()),
                NodeTarget.SELF,
                "",
                Action.RELOAD.word(),
                request.context().corrId());
    }

    private static Response accepted(Small.Reloaded body) {
        return Response.json(202, Json.bytes(body)).withHeader("Cache-Control", "no-store");
    }
}
