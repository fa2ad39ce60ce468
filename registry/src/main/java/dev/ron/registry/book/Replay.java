package dev.ron.registry.book;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.log.Rigor;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Kind;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.state.Held;
import dev.ron.ledger.state.State;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.Ref;
import dev.ron.registry.store.Store;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the book from the records of a log, checking every hash and the chain, but no signature again. */
final class Replay implements Store.Reader {
    private final Limits limits;
    private final Optional<Savepoint> savepoint;
    // Which version wrote the content of descriptors of which an older release's savepoint does not say it.
    private final Map<String, Held> unsaid;
    private final Map<String, Long> said = new HashMap<>();
    private @Nullable Book book;
    private @Nullable Ledger ledger;
    private Optional<String> frozen = Optional.empty();
    private byte[] lastAudit = new byte[0];
    private long audits;
    private long minimumVersion = 1;

    Replay(Limits limits, Optional<Savepoint> savepoint) {
        this.limits = limits;
        this.savepoint = savepoint;
        this.unsaid = savepoint.stream()
                .flatMap(known -> known.state().all())
                .filter(held -> held.contentVersion() == 0)
                .collect(Collectors.toMap(held -> held.descriptor().id(), held -> held));
    }

    /** What was read; empty when the log was. */
    Optional<Book> book() {
        Book read = book;
        Ledger known = ledger;
        if (read == null || known == null) {
            return Optional.empty();
        }
        read.publish(View.of(known, audits, B3.of(lastAudit), frozen, minimumVersion));
        return Optional.of(read);
    }

    @Override
    public void batch(long seq, List<Rec> records) throws IOException {
        for (int place = 0; place < records.size(); place++) {
            Rec rec = records.get(place);
            try {
                record(rec, new Ref(seq, place), records);
            } catch (Refused e) {
                throw new StoreFault(StoreFault.Kind.CORRUPT, "batch " + seq + ": " + e.detail(), e);
            }
        }
    }

    private void record(Rec rec, Ref ref, List<Rec> batch) throws Refused, IOException {
        if (book == null) {
            first(rec, ref, batch);
            return;
        }
        Book known = book;
        switch (rec.type()) {
            case PROPOSAL -> {
                Json logged = StrictJson.RECORD.read(rec.body(), "proposal");
                Proposal proposal = Proposal.fromJson(logged, "proposal");
                if (!proposal.proposer().equals("genesis")) {
                    known.opened(Docket.of(proposal, ref, Docket.weight(logged, rec.body().length)));
                }
            }
            case APPROVAL -> vote(known, rec, ref);
            case ENTRY -> commit(known, CommitRecord.read(rec.body()), ref);
            case AUDIT, CHANGE -> {
                audits++;
                lastAudit = rec.body();
                known.audited(ref);
                if (rec.type() == Rec.Type.CHANGE) {
                    change(known, audit(rec));
                }
            }
            case PRUNED -> {
                // Its commit is behind it and needs no body up to the savepoint.
            }
        }
    }

    /** The genesis: its proposal comes first, its entry second. */
    private void first(Rec rec, Ref ref, List<Rec> batch) throws Refused, IOException {
        if (rec.type() == Rec.Type.PROPOSAL && ref.place() == 0 && batch.size() > 1) {
            CommitRecord commit = CommitRecord.read(batch.get(1).body());
            Ledger opened =
                    Ledger.open(new Artifact(commit.entry(), proposal(rec).payload(), Approvals.NONE));
            wrote(opened.genesis(), 1);
            ledger = atSavepoint(opened);
            book = new Book(limits, View.of(opened, 0, B3.ZERO, frozen, 1));
        } else {
            throw new StoreFault(StoreFault.Kind.CORRUPT, "the log does not begin with a genesis");
        }
    }

    private static void vote(Book book, Rec rec, Ref ref) throws Refused {
        Approval approval = Approval.fromJson(StrictJson.HASHED.read(rec.body(), "approval"), "approval");
        Optional<Docket> docket = book.docket(approval.statement().proposalId());
        // Without one its proposal was committed and pruned.
        docket.ifPresent(open -> book.opened(open.with(new Docket.Vote(approval, ref))));
    }

    private void commit(Book book, CommitRecord record, Ref ref) throws Refused, IOException {
        Entry entry = record.entry();
        Ledger before = ledger;
        if (before == null) {
            throw new StoreFault(StoreFault.Kind.CORRUPT, "an entry before the genesis");
        }
        if (entry.version() > 1) {
            Optional<Docket> docket = book.docket(entry.proposalId());
            boolean skim =
                    savepoint.isPresent() && entry.version() <= savepoint.get().version();
            if (skim && entry.kind() != Kind.SIGNER_SET) {
                docket.ifPresent(open -> wrote(open.proposal().payload().body(), entry.version()));
                ledger = atSavepoint(before.follow(entry));
                minimumVersion = docket.isEmpty() ? entry.version() + 1 : minimumVersion;
            } else {
                Artifact artifact = artifact(
                        record,
                        docket.orElseThrow(() -> new StoreFault(
                                StoreFault.Kind.CORRUPT, entry + ": its payload is gone and no snapshot replaces it")));
                ledger = skim
                        ? atSavepoint(before.follow(artifact, Rigor.HASHES))
                        : before.accept(artifact, Rigor.HASHES);
            }
        }
        book.commit(entry, ref);
    }

    private Ledger atSavepoint(Ledger at) throws Refused {
        return savepoint.isPresent() && savepoint.get().version() == at.head().version()
                ? at.withState(unsaid.isEmpty() ? savepoint.get().state() : complete())
                : at;
    }

    private void wrote(Body body, long version) {
        if (unsaid.isEmpty()) {
            return;
        }
        Stream<String> ids = switch (body) {
            case Body.Change(var ops) -> put(ops);
            case Body.Supersede(var _, var _, var ops) -> put(ops);
            case Body.ReplaceAll all -> all.items().stream().map(Item::id);
            case Body.Genesis genesis -> genesis.items().stream().map(Item::id);
            case Body.Rotate _ -> Stream.of();
        };
        ids.filter(id -> unsaid.containsKey(id) && unsaid.get(id).version() > version)
                .forEach(id -> said.put(id, version));
    }

    private static Stream<String> put(List<Op> ops) {
        return ops.stream().filter(Op.Put.class::isInstance).map(Op::id);
    }

    private State complete() {
        return State.of(savepoint.stream()
                .flatMap(known -> known.state().all())
                .map(held -> unsaid.containsKey(held.descriptor().id())
                        ? Held.of(
                                held.descriptor(),
                                held.version(),
                                said.getOrDefault(held.descriptor().id(), 0L))
                        : held)
                .toList());
    }

    private static Artifact artifact(CommitRecord record, Docket docket) throws StoreFault {
        List<Approval> counted = new ArrayList<>();
        for (Ref ref : record.approvals()) {
            counted.add(docket.votes().values().stream()
                    .filter(vote -> vote.ref().equals(ref))
                    .findFirst()
                    .orElseThrow(
                            () -> new StoreFault(StoreFault.Kind.CORRUPT, record.entry() + ": an approval is missing"))
                    .approval());
        }
        return new Artifact(record.entry(), docket.proposal().payload(), Approvals.sorted(counted));
    }

    private void change(Book book, AuditRecord record) {
        switch (record.action()) {
            case FREEZE -> frozen = Optional.of(record.reason().orElse("frozen"));
            case THAW -> frozen = Optional.empty();
            default ->
                book.close(
                        record.subject(),
                        new Book.Closed(
                                Standing.of(record.result()), record.reason().orElse("")));
        }
    }

    private static Proposal proposal(Rec rec) throws Refused {
        return Proposal.fromJson(StrictJson.RECORD.read(rec.body(), "proposal"), "proposal");
    }

    private static AuditRecord audit(Rec rec) throws Refused {
        return AuditRecord.fromJson(StrictJson.HASHED.read(rec.body(), "audit record"), "audit record");
    }
}
