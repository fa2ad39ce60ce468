package dev.ron.registry.book;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.Ref;
import dev.ron.registry.store.Store;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A log and what it adds up to.
 *
 * <p>One thread writes: it begins a {@link Turn}, has it take commands, and {@link #write}s it. Nothing a turn did is
 * visible before its batch is durable, and all of it is visible when {@code write} returns.
 */
public final class Registry {
    private static final Turn.By SELF = new Turn.By("registry", "-");

    private final Store store;
    private final Limits limits;
    private final Savepoint.Source savepoints;
    private volatile Book book;
    private volatile Store.Recovery recovery;

    private Registry(Store store, Limits limits, Savepoint.Source savepoints, Book book, Store.Recovery recovery) {
        this.store = store;
        this.limits = limits;
        this.savepoints = savepoints;
        this.book = book;
        this.recovery = recovery;
    }

    /** Reads a log; empty when the store holds none. */
    public static Optional<Registry> open(Store store, Limits limits, Savepoint.Source savepoints) throws IOException {
        Read read = Read.of(store, limits, savepoints);
        return read.book().map(book -> new Registry(store, limits, savepoints, book, read.recovery()));
    }

    /** For a log without pruned payloads. */
    public static Optional<Registry> open(Store store, Limits limits) throws IOException {
        return open(store, limits, Optional::empty);
    }

    private record Read(Optional<Book> book, Store.Recovery recovery) {
        static Read of(Store store, Limits limits, Savepoint.Source savepoints) throws IOException {
            Optional<Savepoint> savepoint = savepoints.newest();
            Read read = replayed(store, limits, savepoint);
            if (savepoint.isEmpty() || read.version() >= savepoint.get().version()) {
                return read;
            }
            // The log ends before the savepoint, or contradicts it: what it adds up to, only its payloads can tell.
            Read told = replayed(store, limits, Optional.empty());
            if (told.version() < read.version()) {
                throw unknownState(read, savepoint.get());
            }
            return told;
        }

        private static StoreFault unknownState(Read read, Savepoint savepoint) {
            Optional<StoreFault> damage = read.recovery().damage();
            return new StoreFault(
                    StoreFault.Kind.CORRUPT,
                    "the log can be read up to version " + read.version() + ", but what it adds up to there is unknown:"
                            + " payloads were pruned, and the snapshot is of version " + savepoint.version() + "; "
                            + damage.map(fault -> String.valueOf(fault.getMessage()))
                                    .orElse("the end of the log is missing or damaged, restore it from a backup"),
                    damage.orElse(null));
        }

        private static Read replayed(Store store, Limits limits, Optional<Savepoint> savepoint) throws IOException {
            Replay replay = new Replay(limits, savepoint);
            Store.Recovery recovery = store.replay(replay);
            return new Read(replay.book(), recovery);
        }

        long version() {
            return book.map(known -> known.view().version()).orElse(0L);
        }
    }

    /** Writes the first version into an empty store. */
    public static Registry create(
            Store store, Limits limits, Savepoint.Source savepoints, ChangeSet genesis, long nowMs)
            throws IOException, Refused {
        Artifact first = Ledger.genesis(genesis, nowMs);
        Proposal proposal = Proposal.of(genesis, "genesis", "genesis", nowMs, nowMs);
        AuditTrail audit = new AuditTrail(0, dev.ron.ledger.hash.B3.ZERO);
        List<Rec> records = new ArrayList<>();
        records.add(new Rec(Rec.Type.PROPOSAL, CanonicalJson.bytes(proposal.toJson())));
        records.add(new Rec(
                Rec.Type.ENTRY, new CommitRecord(first.entry(), new Ref(store.next(), 0), List.of()).bytes()));
        records.add(new Rec(
                Rec.Type.AUDIT,
                audit.next(
                        nowMs,
                        SELF.actor(),
                        AuditRecord.Action.COMMIT,
                        proposal.proposalId(),
                        "version 1",
                        Optional.empty(),
                        SELF.corrId(),
                        java.util.Map.of("entry", first.entry().hash()))));
        long seq = store.next();
        store.append(seq, records);
        Replay replay = new Replay(limits, Optional.empty());
        replay.batch(seq, records);
        Store.Recovery none = new Store.Recovery(1, 0, Optional.empty());
        return new Registry(store, limits, savepoints, replay.book().orElseThrow(), none);
    }

    /** Forgets everything and reads the log again: what a writer does that was interrupted. */
    public void reopen() throws IOException {
        Read read = Read.of(store, limits, savepoints);
        recovery = read.recovery();
        book = read.book().orElseThrow(() -> Store.noSuch(1));
    }

    public Book book() {
        return book;
    }

    public View view() {
        return book.view();
    }

    public Store store() {
        return store;
    }

    public Store.Recovery recovery() {
        return recovery;
    }

    public Turn begin(long nowMs) {
        return new Turn(this, store.next(), nowMs);
    }

    /** Makes a turn durable, then visible. */
    public void write(Turn turn) throws StoreFault {
        if (turn.isEmpty()) {
            return;
        }
        store.append(turn.seq(), turn.records());
        Book mine = book;
        turn.dockets.values().forEach(mine::opened);
        turn.closed.forEach(mine::close);
        turn.committed.values().stream()
                .sorted(java.util.Comparator.comparingLong(Entry::version))
                .forEach(entry -> mine.commit(entry, turn.entryRefs.get((int)
                        (entry.version() - 1 - mine.view().version()))));
        turn.auditRefs.forEach(mine::audited);
        mine.publish(turn.after());
    }

    // --- reading back

    /** The entry a proposal became. */
    Optional<Entry> committedAs(String proposalId) {
        return book.versionOf(proposalId).map(version -> {
            try {
                Optional<Entry> recent = book.recentEntry(version);
                return recent.isPresent() ? recent.get() : commitRecord(version).entry();
            } catch (IOException e) {
                throw unreadable("version " + version, e);
            }
        });
    }

    /** An entry of the log. */
    public Entry entry(long version) throws IOException {
        Optional<Entry> recent = book.recentEntry(version);
        return recent.isPresent() ? recent.get() : commitRecord(version).entry();
    }

    private CommitRecord commitRecord(long version) throws IOException {
        return decode(
                "version " + version,
                () -> CommitRecord.read(store.read(book.entryRef(version)).body()));
    }

    /** A commit with all it binds, checked against its own hashes; empty where its payload was pruned. */
    public Optional<Artifact> artifact(long version) throws IOException {
        CommitRecord record = commitRecord(version);
        Rec body = store.read(record.proposal());
        if (body.type() == Rec.Type.PRUNED) {
            return Optional.empty();
        }
        return Optional.of(decode("version " + version, () -> {
            Proposal proposal = proposal(body);
            Artifact artifact = new Artifact(record.entry(), proposal.payload(), approvals(record));
            artifact.mustBeWhole();
            return artifact;
        }));
    }

    /** A past commit as news of it. */
    public Committed commitNews(long version) throws IOException {
        Entry entry = entry(version);
        Optional<Proposal> proposal = proposalOf(version);
        return proposal.map(kept -> Committed.of(
                        entry, entry.hash(), kept.payload(), view().ledger().state(), "-"))
                .orElseGet(() -> Committed.pruned(entry));
    }

    /** The approvals of a commit; they are kept for ever. */
    public Approvals approvals(long version) throws IOException {
        return decode("version " + version, () -> approvals(commitRecord(version)));
    }

    private Approvals approvals(CommitRecord record) throws IOException, Refused {
        List<Approval> approvals = new ArrayList<>();
        for (Ref ref : record.approvals()) {
            approvals.add(
                    Approval.fromJson(StrictJson.HASHED.read(store.read(ref).body(), "approval"), "approval"));
        }
        return Approvals.sorted(approvals);
    }

    /** The proposal a version was made from, where its payload is still kept. */
    public Optional<Proposal> proposalOf(long version) throws IOException {
        Rec body = store.read(commitRecord(version).proposal());
        return body.type() == Rec.Type.PRUNED
                ? Optional.empty()
                : Optional.of(decode("version " + version, () -> proposal(body)));
    }

    private static Proposal proposal(Rec body) throws Refused {
        return Proposal.fromJson(StrictJson.RECORD.read(body.body(), "proposal"), "proposal");
    }

    public AuditRecord audit(long seq) throws IOException {
        return decode(
                "audit record " + seq,
                () -> AuditRecord.fromJson(
                        StrictJson.HASHED.read(store.read(book.auditRef(seq)).body(), "audit record"), "audit record"));
    }

    @FunctionalInterface
    private interface Decoding<T> {
        T run() throws IOException, Refused;
    }

    private static <T> T decode(String what, Decoding<T> body) throws IOException {
        try {
            return body.run();
        } catch (Refused e) {
            throw new StoreFault(StoreFault.Kind.CORRUPT, what + " is damaged: " + e.detail(), e);
        }
    }

    private static RonException unreadable(String what, IOException e) {
        return new RonException(Code.STORAGE_BUSY, "storage_busy", what + " cannot be read now", null, e);
    }
}
