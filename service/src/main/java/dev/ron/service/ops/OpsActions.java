package dev.ron.service.ops;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.reload.ReloadReport;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What an operator may do to a running process; each action leaves a line in the log. */
final class OpsActions {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final Duration RELOAD_WAIT = Duration.ofSeconds(4);
    private static final int MAX_NAME = 64;

    private final Frame frame;
    private final StrictJson json = new StrictJson();

    /** The body of every action: {@code {}} or {@code {"reason":"..."}}. */
    record Asked(Optional<String> reason) {}

    OpsActions(Frame frame) {
        this.frame = frame;
    }

    Response reload(Request request) {
        audit("reload", request);
        Reply<ReloadReport> reply = frame.reloader().request("api");
        ObjectNode out = accepted();
        try {
            ReloadReport report =
                    reply.await(request.context().deadline().min(Deadline.after(frame.clock(), RELOAD_WAIT)));
            out.put("outcome", report.outcome().word());
            out.put("config_version", report.version());
            if (!report.details().isEmpty()) {
                out.put("message", String.join("\n", report.details()));
            }
        } catch (RonException e) {
            if (e.code() == Code.DRAINING) {
                throw new RonException(Code.CONFLICT, "draining", "the process is stopping");
            }
            if (e.code() != Code.TIMEOUT) {
                throw e;
            }
            out.put("message", "still running; GET /api/v1/reload tells how it ends");
        }
        return answer(out).withHeader("Location", "/api/v1/reload");
    }

    /** How the last reload went, without its details: those are for the operator who asked. */
    Response lastReload(Request request) {
        ObjectNode out = JsonMapper.shared().createObjectNode();
        frame.reloader().last().ifPresent(report -> {
            out.put("source", report.source());
            out.put("outcome", report.outcome().word());
        });
        out.put("config_version", frame.current().version());
        return document(200, JsonMapper.shared().writeValueAsBytes(out));
    }

    Response drain(Request request) {
        frame.drain(audit("drain", request));
        return answer(accepted());
    }

    Response resume(Request request) {
        audit("resume", request);
        return answer(accepted().put("resumed_tasks", frame.resume()));
    }

    Response shutdown(Request request) {
        String by = audit("shutdown", request);
        if (!frame.shutdown().request("api", "asked by " + by)) {
            throw new RonException(Code.CONFLICT, "draining", "the process is stopping already");
        }
        long limit = frame.settings().drainDeadline().apply(frame.current()).toMillis();
        return answer(accepted().put("drain_deadline_ms", limit));
    }

    /** A document about this moment. */
    static Response document(int status, byte[] body) {
        return Response.json(status, body).withHeader("Cache-Control", "no-store");
    }

    private static ObjectNode accepted() {
        return JsonMapper.shared().createObjectNode().put("accepted", true);
    }

    private static Response answer(ObjectNode out) {
        return document(202, JsonMapper.shared().writeValueAsBytes(out));
    }

    /** Reads the body, which must be proper even if it says nothing, and logs who does what; returns who. */
    private String audit(String action, Request request) {
        Asked asked = request.body().length == 0 ? new Asked(Optional.empty()) : json.read(request.body(), Asked.class);
        String by = request.headers().first("X-Operator").map(OpsActions::name).orElse("operator");
        AUDIT.atInfo()
                .addKeyValue("action", action)
                .addKeyValue("subject", by)
                .addKeyValue("peer_addr", String.valueOf(request.peer()))
                .addKeyValue("reason", asked.reason().map(OpsActions::name).orElse(""))
                .log("operator action");
        return by;
    }

    private static String name(String text) {
        return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
    }
}
