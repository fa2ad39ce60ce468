package dev.ron.passport.api;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.audit.AuditEvent;
import dev.ron.passport.audit.Auditor;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.office.Command;
import dev.ron.passport.office.OfficeState;
import dev.ron.service.keys.Bearer;
import dev.ron.token.Reason;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.keys.Revocation;
import dev.ron.token.pct.Chain;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** {@code POST /v1/passport/revoke}: a token, a branch, a subject, a key or an epoch; answered once it is on disk. */
final class RevokeEndpoint {
    private static final Set<String> REASONS = Set.of("compromise", "rotation", "logout", "operator", "other");

    private final Supplier<OfficeState> office;
    private final Door door;
    private final Inspector inspector;
    private final Counter<Command, Command.Receipt> counter;
    private final Auditor auditor;
    private final Idempotency once;
    private final Clock clock;
    private final StrictJson json = new StrictJson();

    /** The body: exactly one of the first six. */
    record Asked(
            Optional<String> token,
            Optional<String> jti,
            Optional<String> block,
            Optional<String> subjectRef,
            Optional<String> kid,
            Optional<Long> epoch,
            Optional<String> tenant,
            Optional<String> reason,
            Optional<String> mode,
            Optional<String> opId) {}

    /** A token that was shown, and the branch it is on, which is its root where it was never narrowed. */
    private record Shown(String token, String tenant, Revocation.Id branch, Revocation.Id root) {}

    RevokeEndpoint(
            Supplier<OfficeState> office,
            Door door,
            Inspector inspector,
            Counter<Command, Command.Receipt> counter,
            Auditor auditor,
            Idempotency once,
            Clock clock) {
        this.office = office;
        this.door = door;
        this.inspector = inspector;
        this.counter = counter;
        this.auditor = auditor;
        this.once = once;
        this.clock = clock;
    }

    Response handle(Request request) {
        Answers.requireJson(request);
        Asked asked = json.read(request.body(), Asked.class);
        long named = Stream.of(
                        asked.token(), asked.jti(), asked.block(), asked.subjectRef(), asked.kid(), asked.epoch())
                .filter(Optional::isPresent)
                .count();
        if (named != 1) {
            throw Inputs.bad("bad_request", "send exactly one of token, jti, block, subject_ref, kid, epoch");
        }
        String reason = asked.reason().orElse("other");
        if (!REASONS.contains(reason)) {
            throw Inputs.bad("bad_request", "reason (expected: compromise, rotation, logout, operator, other)");
        }
        String mode = asked.mode().orElse("hard");
        boolean soft = mode.equals("soft") && asked.epoch().isPresent();
        if (!soft && !mode.equals("hard")) {
            throw Inputs.bad("bad_request", "mode (expected: hard, or soft with an epoch)");
        }
        Optional<String> operation = asked.opId().map(id -> "op " + bounded(id, 64));
        // Who shows the very token it wants to end needs no right: holding it is right enough. To end it twice is
        // harmless, so nothing is remembered of it: whoever has one token must not fill the table of the others.
        Optional<String> held = asked.token().filter(token -> isShown(token, request));
        if (held.isPresent()) {
            Shown shown = shown(held.get());
            return end(
                    "holder",
                    shown,
                    new Command.Revoke(shown.branch(), reason, shown.tenant(), Optional.of(shown.root()), false),
                    request);
        }
        Caller caller = door.require(request, Right.REVOKE);
        Client client = caller.client();
        return once.once(caller, operation, request.body(), () -> {
            if (asked.token().isEmpty()) {
                return carryOut(client.id(), command(asked, reason, client), request);
            }
            Shown shown = shown(asked.token().get());
            requireFor(client, shown.tenant());
            return end(client.id(), shown, revocation(shown.branch(), reason, shown.tenant(), client), request);
        });
    }

    private static boolean isShown(String token, Request request) {
        return request.headers().contains("Authorization") && Sha256.same(token, Bearer.of(request));
    }

    private Response carryOut(String who, Command command, Request request) {
        Command.Receipt receipt = counter.ask(command);
        auditor.note(AuditEvent.done(who, command, receipt));
        return done(receipt, request);
    }

    /** To end what has ended is no mistake: there is nothing left to do. */
    private Response end(String who, Shown shown, Command.Revoke command, Request request) {
        return inspector.isEnded(shown.token(), now())
                ? done(standing(shown.tenant()), request)
                : carryOut(who, command, request);
    }

    /** The receipt of a command that had nothing to change. */
    private Command.Receipt standing(String tenant) {
        OfficeState now = office.get();
        return new Command.Receipt(
                now.epoch(),
                now.revocations().globalFloor(),
                now.revocations().floor(tenant),
                now.seq(),
                false,
                List.of());
    }

    private static Response done(Command.Receipt receipt, Request request) {
        boolean async = request.headers().all("Prefer").stream().anyMatch(prefer -> prefer.contains("respond-async"));
        // It is on disk here either way; 202 says that verifiers are still to hear of it, and where they will.
        return async
                ? Answers.json(202, document(receipt))
                        .withHeader("Preference-Applied", "respond-async")
                        .withHeader("Location", "/v1/passport/revocations?since=" + (receipt.seq() - 1))
                : Answers.ok(document(receipt));
    }

    private Command command(Asked asked, String reason, Client client) {
        String tenant = asked.tenant().map(name -> bounded(name, 64)).orElseGet(client::ownTenant);
        if (asked.kid().isPresent() || asked.epoch().isPresent()) {
            requireFor(client, Client.ANY);
            return asked.kid().isPresent()
                    ? new Command.RevokeKey(asked.kid().get(), reason)
                    : new Command.MoveEpoch(
                            asked.epoch().orElseThrow(),
                            asked.mode().orElse("hard").equals("soft"),
                            reason);
        }
        requireFor(client, tenant);
        if (asked.subjectRef().isPresent()) {
            Revocation what =
                    new Revocation.Subject(tenant, bounded(asked.subjectRef().get(), 128), now());
            return revocation(what, reason, tenant, client);
        }
        // An id alone does not say whose it is, and neither does who names it; who has the token itself can show it.
        requireFor(client, Client.ANY);
        String id = bounded(asked.jti().or(asked::block).orElseThrow(), 64);
        // Its end is not known here, so the longest life there is.
        Revocation what = new Revocation.Id(id, now() + Revocation.MAX_LIFETIME_SECONDS);
        return revocation(what, reason, "", client);
    }

    private static Command.Revoke revocation(Revocation what, String reason, String tenant, Client client) {
        return new Command.Revoke(what, reason, tenant, Optional.empty(), !client.speaksFor(Client.ANY));
    }

    private Shown shown(String token) {
        if (Inspector.isAccessToken(token)) {
            return switch (inspector.accessTokenToEnd(token, now())) {
                case JwtDecision.Rejected(Reason why, String detail) -> throw Bearer.denied(why, detail);
                case JwtDecision.Accepted good -> {
                    String id = good.tokenId().orElseThrow(() -> Inputs.bad("bad_request", "the token has no jti"));
                    Revocation.Id whole = new Revocation.Id(id, good.expiresAt());
                    yield new Shown(token, good.tenant().orElse(""), whole, whole);
                }
            };
        }
        Inspector.Finding finding =
                inspector.inspectToEnd(token, RequestContext.at(now()).build());
        Chain chain = finding.chain().orElseThrow(() -> Bearer.denied((Decision.Deny) finding.decision()));
        long exp = chain.claims().exp();
        Revocation.Id root = new Revocation.Id(chain.claims().jti(), exp);
        Revocation.Id branch = chain.blocks().isEmpty()
                ? root
                : new Revocation.Id(chain.blocks().getLast().id(), exp);
        return new Shown(token, chain.claims().tenant(), branch, root);
    }

    private static void requireFor(Client client, String tenant) {
        if (!client.speaksFor(tenant)) {
            throw new RonException(
                    Code.FORBIDDEN, "forbidden", "client " + client.id() + " may not revoke for this tenant");
        }
    }

    private static String bounded(String text, int max) {
        if (text.isEmpty() || text.length() > max) {
            throw Inputs.bad("bad_request", "an id of " + text.length() + " characters (expected: 1.." + max + ")");
        }
        return text;
    }

    private long now() {
        return clock.now().getEpochSecond();
    }

    static ObjectNode document(Command.Receipt receipt) {
        ObjectNode out = Answers.object();
        out.put("current_epoch", receipt.epoch());
        out.put("global_floor", receipt.globalFloor());
        out.put("tenant_floor", receipt.tenantFloor());
        out.put("seq", receipt.seq());
        out.put("escalated", receipt.escalated());
        if (!receipt.kids().isEmpty()) {
            List<String> kids = receipt.kids();
            kids.forEach(out.putArray("kids")::add);
        }
        return out;
    }
}
