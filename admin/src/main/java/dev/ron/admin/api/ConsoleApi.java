package dev.ron.admin.api;

import dev.ron.admin.auth.Identity;
import dev.ron.admin.view.ConsoleView;
import dev.ron.admin.view.Small;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.service.reload.ReloadReport;
import java.util.function.Supplier;

/** The console about itself. */
final class ConsoleApi {
    private final Supplier<ConsoleView> view;
    private final Supplier<Reply<ReloadReport>> reload;

    ConsoleApi(Supplier<ConsoleView> view, Supplier<Reply<ReloadReport>> reload) {
        this.view = view;
        this.reload = reload;
    }

    Response show(Request request, Identity identity) {
        return NodeApi.ok(view.get());
    }

    Response reload(Request request, Identity identity) {
        try {
            ReloadReport report =
                    reload.get().await(request.context().deadline().minus(java.time.Duration.ofMillis(200)));
            String message = report.details().isEmpty() ? null : String.join("\n", report.details());
            return accepted(new Small.Reloaded(true, report.outcome().word(), report.version(), message));
        } catch (RonException e) {
            if (e.code() != Code.TIMEOUT) {
                throw e;
            }
            return accepted(new Small.Reloaded(true, null, null, "still running; an event tells how it ends"));
        }
    }

    private static Response accepted(Small.Reloaded body) {
        return Response.json(202, Json.bytes(body)).withHeader("Cache-Control", "no-store");
    }
}
