package dev.ron.admin.action;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminMetrics;
import dev.ron.admin.action.AuditEntry.Deed;
import dev.ron.admin.auth.Identity;
import dev.ron.admin.sample.Fleet;
import dev.ron.admin.sample.NodeCaller;
import dev.ron.admin.sample.NodeRuntime;
import dev.ron.admin.sample.NodeTarget;
import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Known;
import dev.ron.admin.truth.Verdict;
import dev.ron.admin.view.ActionAsked;
import dev.ron.admin.view.ActionResult;
import dev.ron.admin.view.AuditRecord;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does an action to a node, after every check and with a line on disk before the call.
 *
 * <p>The call is made once. Where its answer is lost the outcome is unknown, and that is what is said and recorded:
 * the node may or may not have acted.
 */
public final class ActionDesk {
    private static final Logger LOG = LoggerFactory.getLogger(ActionDesk.class);
    private static final int MIN_REASON = 8;
    private static final int MAX_REASON = 280;
    private static final int REFUSALS_PER_MIN = 20;

    private final Fleet fleet;
    private final NodeCaller caller;
    private final AuditLog audit;
    private final Guarded<Memory> memory;
    private final Supplier<AdminConfig> config;
    private final AdminMetrics metrics;
    private final Clock clock;

    /** Who asks for what, as it came. */
    public record Order(
            Action action,
            NodeRuntime node,
            Identity identity,
            String authMode,
            String peer,
            String corrId,
            String idempotencyKey,
            ActionAsked asked) {}

    /** An answer, and whether it is that of an earlier request. */
    public record Done(ActionResult result, boolean replayed) {}

    public ActionDesk(
            Fleet fleet,
            NodeCaller caller,
            AuditLog audit,
            Guarded<Memory> memory,
            Supplier<AdminConfig> config,
            AdminMetrics metrics,
            Clock clock) {
        this.fleet = fleet;
        this.caller = caller;
        this.audit = audit;
        this.memory = memory;
        this.config = config;
        this.metrics = metrics;
        this.clock = clock;
    }

    public Done act(Order order) {
        Deed deed = deed(order);
        String key = order.identity().subject() + "\n" + order.idempotencyKey();
        String what = order.node().id() + " " + order.action().word();
        try {
            check(order);
            Optional<ActionResult> earlier = memory.with(m -> m.claim(key, what, clock.nanos()));
            if (earlier.isPresent()) {
                return new Done(earlier.get(), true);
            }
        } catch (RonException refused) {
            throw refuse(deed, refused);
        }
        try {
            AdminConfig.ActionsConfig limits = config.get().actions();
            memory.with(m -> {
                m.admit(order.identity().subject(), what, limits.perSubjectPerMin(), limits.cooldown(), clock.nanos());
                return m;
            });
        } catch (RonException refused) {
            memory.with(m -> {
                m.forget(key);
                return m;
            });
            metrics.busy(order.action().word());
            throw refuse(deed, refused);
        }
        ActionResult result = perform(order, deed, key);
        memory.with(m -> {
            m.settle(key, result);
            return m;
        });
        return new Done(result, false);
    }

    private static Deed deed(Order order) {
        NodeTarget target = order.node().target();
        return new Deed(
                UUID.randomUUID().toString(),
                order.identity(),
                order.authMode(),
                order.peer(),
                target.id(),
                target.environmentWord(),
                order.action().word(),
                order.asked().reason().map(ActionDesk::shown).orElse(""),
                order.corrId());
    }

    /** A text as it can be kept and shown: without control characters, cut between two characters. */
    private static String shown(String text) {
        int end = Math.min(text.length(), MAX_REASON);
        if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        StringBuilder out = new StringBuilder();
        text.substring(0, end).chars().forEach(c -> out.append(Character.isISOControl(c) ? ' ' : (char) c));
        return out.toString();
    }

    private void check(Order order) {
        AdminConfig now = config.get();
        if (now.ui().readOnly()) {
            throw readOnly();
        }
        if (!order.action().allowedBy(now.actions())) {
            throw new RonException(
                    Code.NOT_FOUND, "action_disabled", order.action().word() + " is not enabled: see admin.actions");
        }
        Verdict verdict = order.node().observed().verdict();
        List<String> offered = verdict == null ? List.of() : verdict.said().capabilities();
        if (!offered.contains(order.action().word())) {
            throw new RonException(
                    Code.CONFLICT,
                    "not_supported",
                    "the node does not offer " + order.action().word());
        }
        if (verdict != null && verdict.draining() && order.action() != Action.RESUME) {
            throw new RonException(Code.CONFLICT, "node_draining", "the node is stopping already");
        }
        if (!order.asked().confirm().equals(order.node().id())) {
            throw new RonException(
                    Code.UNPROCESSABLE, "confirmation_mismatch", "confirm must be the node's id, typed as it is shown");
        }
        int reason = order.asked().reason().map(text -> text.strip().length()).orElse(0);
        if ((order.node().target().prod() && reason < MIN_REASON) || reason > MAX_REASON) {
            throw new RonException(
                    Code.UNPROCESSABLE, "reason_required", "reason: " + reason + " characters (expected: 8..280)");
        }
        if (!order.idempotencyKey().matches("[A-Za-z0-9_-]{8,64}")) {
            throw new RonException(
                    Code.BAD_REQUEST, "idempotency_key", "send Idempotency-Key: 8 to 64 letters, digits, - or _");
        }
    }

    static RonException readOnly() {
        return new RonException(Code.FORBIDDEN, "read_only", "the console is read-only: admin.ui.read_only");
    }

    /**
     * Records a refusal; where even that fails, the refusal stands.
     *
     * <p>Of one subject only so many in a minute, and one line that says there were more: else who repeats what is
     * refused would push everything that was done out of the log.
     */
    public RonException refuse(Deed deed, RonException refused) {
        metrics.acted(deed.action(), "denied");
        int count = memory.with(m -> m.refused(deed.identity().subject(), clock.nanos()));
        boolean tooMany = count > REFUSALS_PER_MIN;
        if (count <= REFUSALS_PER_MIN + 1) {
            try {
                audit.append(deed.rejected(tooMany ? "more_refused" : refused.reason()));
            } catch (RonException unwritten) {
                LOG.warn("a refusal of {} could not be audited: {}", deed.action(), unwritten.detail());
            }
        }
        return tooMany
                ? new RonException(
                        Code.BUSY,
                        "busy",
                        "more than " + REFUSALS_PER_MIN + " of your actions were refused in a minute",
                        Duration.ofMinutes(1),
                        null)
                : refused;
    }

    private ActionResult perform(Order order, Deed deed, String key) {
        AuditRecord intent;
        try {
            intent = audit.append(deed.intent());
        } catch (RonException unwritten) {
            memory.with(m -> {
                m.forget(key);
                return m;
            });
            metrics.acted(deed.action(), "denied");
            throw unwritten;
        }
        Outcome outcome;
        try {
            outcome = call(order, deed);
        } catch (RuntimeException stopped) {
            // A stop in the middle of the call: the node may have heard it.
            outcome = new Outcome("unknown", null, null, "the console stopped waiting", "canceled");
        }
        metrics.acted(deed.action(), outcome.result());
        long seq = recorded(deed, outcome, intent);
        fleet.wake(order.node().id());
        return new ActionResult(
                deed.actionId(),
                deed.nodeId(),
                deed.action(),
                outcome.result(),
                outcome.accepted(),
                outcome.status(),
                outcome.message(),
                seq);
    }

    private long recorded(Deed deed, Outcome outcome, AuditRecord intent) {
        try {
            return audit.append(deed.outcome(outcome.result(), outcome.status(), outcome.code()))
                    .seq();
        } catch (RonException unwritten) {
            LOG.error("the outcome of action {} could not be audited: {}", deed.actionId(), unwritten.detail());
            return intent.seq();
        }
    }

    private record Outcome(
            String result,
            @Nullable Boolean accepted,
            @Nullable Integer status,
            @Nullable String message,
            @Nullable String code) {}

    private Outcome call(Order order, Deed deed) {
        String body = deed.reason().isEmpty()
                ? "{}"
                : "{\"reason\":"
                        + tools.jackson.databind.json.JsonMapper.shared().writeValueAsString(deed.reason()) + "}";
        Map<String, String> fields = Map.of(
                "X-Operator", header(deed.identity().subject()),
                "Idempotency-Key", deed.actionId());
        Answer answer = caller.post(
                order.node().target(),
                order.action().path(),
                body,
                fields,
                Deadline.after(clock, config.get().upstream().actionTimeout()));
        return switch (answer) {
            case Answer.Said said -> said(said);
            case Answer.Failed failed ->
                switch (failed.fault()) {
                    case CONNECT, DNS, TLS, FORBIDDEN_ADDRESS, DENIED, REDIRECT ->
                        new Outcome(
                                "error",
                                null,
                                null,
                                failed.detail(),
                                failed.fault().word());
                    default ->
                        new Outcome(
                                "unknown",
                                null,
                                null,
                                "the node may or may not have acted: " + failed.detail(),
                                failed.fault().word());
                };
            case Answer.NotAsked _ -> new Outcome("error", null, null, "the node was not asked", "not_asked");
        };
    }

    private static Outcome said(Answer.Said said) {
        Map<String, Object> words = Known.members(said, List.of("accepted", "message", "outcome", "detail"));
        boolean ok = said.ok();
        Object message = words.getOrDefault("message", words.getOrDefault("detail", words.get("outcome")));
        return new Outcome(
                ok ? "ok" : "error",
                words.get("accepted") instanceof Boolean accepted ? accepted : null,
                said.status(),
                message == null ? null : String.valueOf(message),
                ok ? null : "status");
    }

    private static String header(String text) {
        StringBuilder out = new StringBuilder();
        text.chars().limit(64).forEach(c -> out.append(c > 0x20 && c < 0x7f ? (char) c : '_'));
        return out.toString();
    }
}
