package dev.ron.registry.book;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Kind;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.quorum.Ballot;
import dev.ron.ledger.quorum.Tally;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.Ref;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One batch in the making: commands are tried one after the other on what the book will be, and nothing of it shows
 * before the batch is durable.
 */
public final class Turn {
    private static final int MAX_EXPIRED = 1000;

    private final Registry registry;
    private final Book book;
    private final long seq;
    private final long nowMs;
    private final AuditTrail audit;
    private final List<Rec> records = new ArrayList<>();
    final List<Ref> auditRefs = new ArrayList<>();
    final List<Ref> entryRefs = new ArrayList<>();
    final List<Committed> news = new ArrayList<>();
    final Map<String, Docket> dockets = new HashMap<>();
    final Map<String, Book.Closed> closed = new HashMap<>();
    final Map<String, Entry> committed = new HashMap<>();
    private Ledger ledger;
    private Optional<String> frozen;
    private long minimumVersion;
    private int bytes;

    Turn(Registry registry, long seq, long nowMs) {
        this.registry = registry;
        this.book = registry.book();
        this.seq = seq;
        this.nowMs = nowMs;
        View view = book.view();
        this.audit = new AuditTrail(view.auditSeq(), view.auditHash());
        this.ledger = view.ledger();
        this.frozen = view.frozen();
        this.minimumVersion = view.minimumVersion();
    }

    /** Who asks, and under which correlation id. */
    public record By(String actor, String corrId) {}

    /** Plans a command; what it answers must not be told before the turn is durable, a refusal included. */
    public Answer take(Command command, By by) {
        try {
            return switch (command) {
                case Command.Propose(Proposal proposal) -> propose(proposal, by);
                case Command.Approve(String id, Admitted vote) -> approve(id, vote.approval(), by);
                case Command.Commit(String id, Optional<B3> ifMatch) -> commit(id, ifMatch, by);
                case Command.Withdraw(String id) -> withdraw(id, by);
                case Command.Freeze(String reason) -> freeze(Optional.of(reason), by);
                case Command.Thaw(String reason) -> thaw(reason, by);
                case Command.Pruned(long from, String what) -> {
                    minimumVersion = Math.max(minimumVersion, from);
                    audit(Rec.Type.AUDIT, by, AuditRecord.Action.PRUNE, what, "ok", Optional.empty(), Map.of());
                    yield new Answer.Done(what);
                }
                case Command.Note(var action, String subject, String result) -> {
                    audit(Rec.Type.AUDIT, by, action, subject, result, Optional.empty(), Map.of());
                    yield new Answer.Done(result);
                }
            };
        } catch (Refused refused) {
            throw Refusals.of(refused);
        }
    }

    private Answer propose(Proposal proposal, By by) throws Refused {
        String id = proposal.proposalId();
        Optional<Standing> known = standing(id);
        if (known.isPresent()) {
            return new Answer.Proposed(id, known.get(), true);
        }
        requireThawed();
        if (proposal.payload().kind() == Kind.GENESIS) {
            throw new RonException(Code.BAD_REQUEST, "malformed", "a log has one genesis, and it has it");
        }
        Json logged = proposal.toJson();
        byte[] body = CanonicalJson.bytes(logged);
        int weight = Docket.weight(logged, body.length);
        book.requireRoom(proposal.proposer(), weight, dockets.values());
        Ref ref = add(Rec.Type.PROPOSAL, body);
        dockets.put(id, Docket.of(proposal, ref, weight));
        audit(
                Rec.Type.AUDIT,
                by,
                AuditRecord.Action.PROPOSE,
                id,
                "ok",
                Optional.empty(),
                Map.of("payload", proposal.payloadB3()));
        return new Answer.Proposed(id, Standing.PENDING, false);
    }

    private Answer approve(String id, Approval approval, By by) throws Refused {
        Docket docket = open(id);
        requireThawed();
        Ballot ballot = ledger.ballot(docket.proposal(), nowMs);
        Docket.@Nullable Vote before = docket.votes().get(approval.signerId());
        if (before != null && before.approval().equals(approval)) {
            return new Answer.Approved(
                    docket.tally(ledger, nowMs), docket.votes().size(), true);
        }
        ballot.check(approval);
        if (before != null && ballot.counts(before.approval())) {
            throw Refusals.conflict(
                    "duplicate_approval", "signer " + approval.signerId() + " has voted on this proposal already");
        }
        Ref ref = add(Rec.Type.APPROVAL, approval.bytes());
        Docket voted = docket.with(new Docket.Vote(approval, ref));
        dockets.put(id, voted);
        audit(
                Rec.Type.AUDIT,
                by,
                approval.approves() ? AuditRecord.Action.APPROVE : AuditRecord.Action.REJECT,
                id,
                approval.signerId(),
                Optional.empty(),
                Map.of());
        Tally tally = voted.tally(ledger, nowMs);
        if (tally.rejections() >= ledger.signers().m()) {
            close(id, Standing.REJECTED, by, AuditRecord.Action.REJECT, "rejected by " + tally.rejections());
        } else if (ledger.signers().autoCommit() && tally.satisfied()) {
            Answer.Committed _ = commit(id, Optional.empty(), by);
        }
        return new Answer.Approved(tally, voted.votes().size(), false);
    }

    private Answer.Committed commit(String id, Optional<B3> ifMatch, By by) throws Refused {
        // First of all: a retry after an unclear answer must learn what happened, not be judged anew.
        Optional<Entry> done = committedEntry(id);
        if (done.isPresent()) {
            return new Answer.Committed(done.get(), true);
        }
        Docket docket = open(id);
        requireThawed();
        if (ifMatch.isPresent() && !ifMatch.get().equals(ledger.headHash())) {
            throw new RonException(Code.PRECONDITION_FAILED, "precondition_failed", "the head is " + ledger.headHash());
        }
        Ledger.Commit commit;
        try {
            commit = ledger.commit(docket.proposal(), docket.approvals(), nowMs, 0);
        } catch (Refused refused) {
            switch (refused.reason()) {
                case STALE_PRECONDITION, CHAIN_MISMATCH, BAD_SIGNER_SET ->
                    close(id, Standing.STALE, by, AuditRecord.Action.COMMIT, refused.detail());
                default -> {
                    // It may still be committed later.
                }
            }
            throw refused;
        }
        ledger = commit.after();
        Entry entry = commit.artifact().entry();
        Set<String> counted = commit.artifact().approvals().list().stream()
                .map(Approval::signerId)
                .collect(Collectors.toSet());
        List<Ref> votes = docket.votesOf(counted).map(Docket.Vote::ref).toList();
        entryRefs.add(add(Rec.Type.ENTRY, new CommitRecord(entry, docket.ref(), votes).bytes()));
        dockets.remove(id);
        committed.put(id, entry);
        news.add(Committed.of(entry, ledger.headHash(), commit.artifact().payload(), ledger.state(), by.corrId()));
        audit(
                Rec.Type.AUDIT,
                by,
                AuditRecord.Action.COMMIT,
                id,
                "version " + entry.version(),
                Optional.empty(),
                Map.of("entry", ledger.headHash()));
        return new Answer.Committed(entry, false);
    }

    private Answer withdraw(String id, By by) {
        Docket docket = open(id);
        if (!docket.proposal().proposer().equals(by.actor())) {
            throw new RonException(Code.FORBIDDEN, "forbidden", "only its proposer may withdraw " + id);
        }
        close(id, Standing.WITHDRAWN, by, AuditRecord.Action.WITHDRAW, "withdrawn");
        return new Answer.Done(Standing.WITHDRAWN.wire());
    }

    private Answer freeze(Optional<String> reason, By by) {
        frozen = reason;
        audit(Rec.Type.CHANGE, by, AuditRecord.Action.FREEZE, "registry", "frozen", reason, Map.of());
        return new Answer.Done("frozen");
    }

    private Answer thaw(String reason, By by) {
        if (frozen.isPresent()) {
            frozen = Optional.empty();
            audit(Rec.Type.CHANGE, by, AuditRecord.Action.THAW, "registry", "thawed", Optional.of(reason), Map.of());
        }
        return new Answer.Done("thawed");
    }

    /** Closes what has waited too long; what is more than a batch should hold waits for the next turn that does this. */
    public void expire() {
        for (Docket docket : book.expired(nowMs, MAX_EXPIRED)) {
            if (!closed.containsKey(docket.id()) && !committed.containsKey(docket.id())) {
                close(
                        docket.id(),
                        Standing.EXPIRED,
                        new By("registry", "-"),
                        AuditRecord.Action.EXPIRE,
                        "expired unapproved");
            }
        }
    }

    private void close(String id, Standing standing, By by, AuditRecord.Action action, String detail) {
        dockets.remove(id);
        closed.put(id, new Book.Closed(standing, detail));
        audit(Rec.Type.CHANGE, by, action, id, standing.wire(), Optional.of(detail), Map.of());
    }

    private Docket open(String id) {
        Docket mine = dockets.get(id);
        if (mine != null) {
            return requireAlive(mine);
        }
        Optional<Standing> known = standing(id);
        if (known.isEmpty()) {
            throw Refusals.noSuchProposal(id);
        }
        if (known.get() != Standing.PENDING) {
            throw known.get() == Standing.EXPIRED
                    ? new RonException(Code.GONE, "expired", "proposal " + id + " has expired")
                    : Refusals.conflict(
                            known.get().wire(),
                            "proposal " + id + " is " + known.get().wire());
        }
        return requireAlive(book.docket(id).orElseThrow(() -> Refusals.noSuchProposal(id)));
    }

    private Docket requireAlive(Docket docket) {
        if (docket.proposal().expiresAtMs() < nowMs) {
            throw new RonException(Code.GONE, "expired", "proposal " + docket.id() + " has expired");
        }
        return docket;
    }

    /** Pending stands for any open one. */
    private Optional<Standing> standing(String id) {
        if (committed.containsKey(id)) {
            return Optional.of(Standing.COMMITTED);
        }
        Book.@Nullable Closed mine = closed.get(id);
        if (mine != null) {
            return Optional.of(mine.standing());
        }
        return dockets.containsKey(id) ? Optional.of(Standing.PENDING) : book.standing(id);
    }

    private Optional<Entry> committedEntry(String id) {
        return Optional.ofNullable(committed.get(id)).or(() -> registry.committedAs(id));
    }

    private void requireThawed() {
        if (frozen.isPresent()) {
            throw new RonException(
                    Code.UNAVAILABLE,
                    "frozen",
                    "the registry is frozen: " + frozen.get(),
                    Duration.ofSeconds(30),
                    null);
        }
    }

    private Ref add(Rec.Type type, byte[] body) {
        records.add(new Rec(type, body));
        bytes += body.length;
        return new Ref(seq, records.size() - 1);
    }

    private void audit(
            Rec.Type type,
            By by,
            AuditRecord.Action action,
            String subject,
            String result,
            Optional<String> reason,
            Map<String, B3> inputs) {
        auditRefs.add(add(type, audit.next(nowMs, by.actor(), action, subject, result, reason, by.corrId(), inputs)));
    }

    public boolean isEmpty() {
        return records.isEmpty();
    }

    public int bytes() {
        return bytes;
    }

    public List<Committed> news() {
        return Collections.unmodifiableList(news);
    }

    long seq() {
        return seq;
    }

    List<Rec> records() {
        return records;
    }

    View after() {
        return View.of(ledger, audit.seq(), audit.hash(), frozen, minimumVersion);
    }
}
