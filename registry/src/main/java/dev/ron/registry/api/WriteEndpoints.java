package dev.ron.registry.api;

import dev.ron.http.guard.Guard;
import dev.ron.http.guard.Verdict;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.quorum.Ballot;
import dev.ron.registry.book.Admitted;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Docket;
import dev.ron.registry.book.Refusals;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Standing;
import dev.ron.registry.commit.Counter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;

/** The write plane: propose, approve, commit, withdraw; each needs a token that names it. */
final class WriteEndpoints {
    private static final int MAX_KEY = 200;

    private final Registry registry;
    private final Gate gate;
    private final Guard rate;
    private final Lane verify;
    private final Counters counters;
    private final Clock clock;
    private final SecureRandom random;

    /** One counter for each queue of the committer. */
    record Counters(Counter proposals, Counter approvals, Counter commits, Counter ctl) {}

    WriteEndpoints(
            Registry registry,
            Gate gate,
            Guard rate,
            Lane verify,
            Counters counters,
            Clock clock,
            SecureRandom random) {
        this.registry = registry;
        this.gate = gate;
        this.rate = rate;
        this.verify = verify;
        this.counters = counters;
        this.clock = clock;
        this.random = random;
    }

    /** Who asks. Only who may write counts against the rate of writes: nobody else can use it up. */
    private String admit(Request request, String scope) {
        String actor = gate.require(request, scope);
        if (rate.admit(request) instanceof Verdict.Refuse(RonException why)) {
            throw why;
        }
        return actor;
    }

    Response propose(Request request) {
        String actor = admit(request, "registry:propose");
        Optional<String> key = request.headers().first("Idempotency-Key").map(WriteEndpoints::nonceOf);
        Proposal proposal = checked(() -> proposal(Forms.read(request), actor, key));
        Answer.Proposed answer = (Answer.Proposed) counters.proposals().ask(new Command.Propose(proposal), actor);
        Ledger ledger = registry.view().ledger();
        ObjWriter out = new ObjWriter()
                .put("proposal_id", answer.proposalId())
                .put("payload_b3", proposal.payloadB3().toJson())
                .put("state", answer.standing().wire())
                .put("expires_at", Documents.at(proposal.expiresAtMs()))
                .put("origin", ledger.genesis().origin())
                .put("signer_set_version", ledger.signers().setVersion());
        return Forms.answer(request, answer.repeated() ? 200 : 202, out.end(), Forms.NO_STORE)
                .withHeader("Location", "/registry/proposals/" + answer.proposalId());
    }

    /** Reads a proposal, and refuses one that could not be committed as things are. */
    private Proposal proposal(Json body, String actor, Optional<String> key) throws Refused {
        Fields fields = Fields.of(body, "body");
        ChangeSet payload = fields.one("payload", ChangeSet::fromJson);
        Optional<B3> claimed = fields.optional("payload_b3", B3::fromJson);
        Optional<String> nonce = fields.optionalString("nonce");
        OptionalLong ttl = fields.optionalInteger("ttl_h", 1, 24 * 90);
        Ledger ledger = registry.view().ledger();
        long now = clock.now().toEpochMilli();
        long hours = ttl.orElse(ledger.signers().proposalTtlHours());
        Proposal proposal = fields.build(() -> Proposal.of(
                payload,
                actor,
                nonce.or(() -> key).orElseGet(this::nonce),
                now,
                now + Duration.ofHours(hours).toMillis()));
        if (claimed.isPresent()) {
            proposal.payloadB3().expect(claimed.get(), Reason.PAYLOAD_HASH_MISMATCH, "payload_b3");
        }
        if (key.isPresent() && nonce.isEmpty()) {
            mustBeTheSame(proposal);
        }
        if (registry.book().standing(proposal.proposalId()).isPresent()) {
            // A repeat learns what became of it, also where the log has moved on.
            return proposal;
        }
        Optional<Base> base = payload.body().base();
        if (base.isPresent() && !base.get().equals(new Base(ledger.head().version(), ledger.headHash()))) {
            throw new Refused(
                    Reason.CHAIN_MISMATCH,
                    "written against version " + base.get().version() + ", the head is version "
                            + ledger.head().version());
        }
        ledger.state().apply(payload.body(), ledger.head().version() + 1);
        return proposal;
    }

    /**
     * What an {@code Idempotency-Key} becomes: the proposal's nonce. Asking again, also after a restart, therefore finds
     * the proposal that is there.
     */
    private static String nonceOf(String key) {
        if (key.isEmpty() || key.length() > MAX_KEY) {
            throw new RonException(
                    Code.BAD_REQUEST, "idempotency_key", "Idempotency-Key (expected: 1.." + MAX_KEY + " characters)");
        }
        return B3.of(key.getBytes(StandardCharsets.UTF_8)).text().substring("b3:".length());
    }

    private void mustBeTheSame(Proposal proposal) {
        Optional<String> before = registry.book().proposed(proposal.proposer(), proposal.nonce());
        if (before.isPresent() && !before.get().equals(proposal.proposalId())) {
            throw new RonException(
                    Code.UNPROCESSABLE,
                    "idempotency_mismatch",
                    "this Idempotency-Key was used for " + before.get() + ", which has another payload");
        }
    }

    private String nonce() {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    Response approve(Request request) {
        String actor = admit(request, "registry:approve");
        String id = request.param("id");
        Admitted vote = checked(() -> {
            Approval approval = Approval.fromJson(Forms.read(request), "approval");
            Docket docket = registry.book().docket(id).orElseThrow(() -> absent(id));
            Ballot ballot = registry.view()
                    .ledger()
                    .ballot(docket.proposal(), clock.now().toEpochMilli());
            return Admitted.of(ballot, approval);
        });
        Answer.Approved answer = (Answer.Approved) counters.approvals().ask(new Command.Approve(id, vote), actor);
        return Forms.answer(
                request,
                200,
                new ObjWriter()
                        .put("status", answer.repeated() ? "already_recorded" : "accepted")
                        .put("approvals", answer.approvals())
                        .put("quorum", answer.tally().toJson())
                        .end(),
                Forms.NO_STORE);
    }

    private RonException absent(String id) {
        Optional<Standing> known = registry.book().versionOf(id).isPresent()
                ? Optional.of(Standing.COMMITTED)
                : registry.book().closed(id).map(closed -> closed.standing());
        return switch (known.orElse(Standing.PENDING)) {
            case PENDING, APPROVED -> new RonException(Code.NOT_FOUND, "not_found", "there is no proposal " + id);
            case EXPIRED -> new RonException(Code.GONE, "expired", "proposal " + id + " has expired");
            case COMMITTED, STALE, REJECTED, WITHDRAWN ->
                new RonException(
                        Code.CONFLICT,
                        known.orElseThrow().wire(),
                        "proposal " + id + " is " + known.orElseThrow().wire());
        };
    }

    Response commit(Request request) {
        String actor = admit(request, "registry:commit");
        Optional<B3> ifMatch = request.headers()
                .first("If-Match")
                .map(tag -> checked(() -> B3.parse(tag.replace("\"", ""), "If-Match")));
        Answer.Committed answer =
                (Answer.Committed) counters.commits().ask(new Command.Commit(request.param("id"), ifMatch), actor);
        return Forms.answer(
                request,
                answer.repeated() ? 200 : 201,
                Documents.committed(answer.entry(), answer.repeated()),
                Forms.NO_STORE);
    }

    Response withdraw(Request request) {
        String actor = admit(request, "registry:propose");
        Answer.Done answer = (Answer.Done) counters.ctl().ask(new Command.Withdraw(request.param("id")), actor);
        return Forms.answer(
                request, 200, new ObjWriter().put("state", answer.what()).end(), Forms.NO_STORE);
    }

    /** Runs what reads, hashes and verifies on the lane for it: a body that was read takes many times its size. */
    private <T> T checked(Callable<T> job) {
        return verify.call(CallContext.current().deadline(), () -> {
            try {
                return job.call();
            } catch (Refused e) {
                throw Refusals.of(e);
            }
        });
    }
}
