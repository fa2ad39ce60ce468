package dev.ron.registry.task;

import dev.ron.kernel.time.Clock;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Kind;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.book.Book;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.View;
import dev.ron.registry.commit.Counter;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What may go, and when: payloads only, of files all of whose commits a stored checkpoint covers.
 *
 * <p>Kept for ever: entries, approvals, audit records, the genesis, every rotation, and each payload that wrote a value
 * which is still current, deprecated ones included, so that a bundle can always be made.
 */
public final class Retention {
    private final Registry registry;
    private final SegmentStore store;
    private final Supplier<RegistryConfig.Retention> policy;
    private final Counter ctl;
    private final Clock clock;

    public Retention(
            Registry registry,
            SegmentStore store,
            Supplier<RegistryConfig.Retention> policy,
            Counter ctl,
            Clock clock) {
        this.registry = registry;
        this.store = store;
        this.policy = policy;
        this.ctl = ctl;
        this.clock = clock;
    }

    /** Prunes the oldest whole file if it may go; false when nothing was pruned. */
    public boolean pruneOne(long checkpoint) throws IOException {
        Optional<SegmentStore.Sealed> oldest = store.whole().stream().findFirst();
        if (oldest.isEmpty() || policy.get().policy() == RegistryConfig.Policy.KEEP) {
            return false;
        }
        SegmentStore.Sealed file = oldest.get();
        long last = lastVersion(file);
        if (last < 0 || last > checkpoint || !due(last)) {
            return false;
        }
        Set<Long> current = registry.view()
                .ledger()
                .state()
                .all()
                .flatMap(held -> Stream.of(held.version(), held.contentVersion()))
                .collect(Collectors.toSet());
        store.prune(file, rec -> lean(rec, current));
        boolean _ = ctl.tell(
                new Command.Pruned(last + 1, "payloads up to version " + last + ", checkpoint " + checkpoint),
                "retention");
        return true;
    }

    /** The last version in a file; -1 while it holds a proposal that is still open. */
    private long lastVersion(SegmentStore.Sealed file) throws IOException {
        long last = 0;
        Book book = registry.book();
        for (long seq = file.first(); seq < file.next(); seq++) {
            for (Rec rec : store.batch(seq)) {
                if (rec.type() == Rec.Type.PROPOSAL) {
                    String id = proposal(rec).proposalId();
                    if (book.docket(id).isPresent()) {
                        return -1;
                    }
                    last = Math.max(last, book.versionOf(id).orElse(0L));
                }
            }
        }
        return last;
    }

    private boolean due(long version) throws IOException {
        RegistryConfig.Retention rules = policy.get();
        View view = registry.view();
        return switch (rules.policy()) {
            case KEEP -> false;
            case BY_COUNT -> version <= view.version() - rules.maxCount();
            case BY_SIZE -> store.bytes() > rules.targetBytes().count();
            case BY_AGE ->
                version == 0
                        || registry.entry(version).committedAtMs()
                                < clock.now().toEpochMilli() - rules.maxAge().toMillis();
        };
    }

    private Rec lean(Rec rec, Set<Long> current) {
        if (rec.type() != Rec.Type.PROPOSAL) {
            return rec;
        }
        try {
            Proposal proposal = proposal(rec);
            Kind kind = proposal.payload().kind();
            Optional<Long> version = registry.book().versionOf(proposal.proposalId());
            if (kind == Kind.GENESIS
                    || kind == Kind.SIGNER_SET
                    || version.filter(current::contains).isPresent()) {
                return rec;
            }
            return new Rec(
                    Rec.Type.PRUNED,
                    CanonicalJson.bytes(new ObjWriter()
                            .put("t", "registry.pruned/v1")
                            .put("proposal_id", proposal.proposalId())
                            .put("payload_b3", proposal.payloadB3().toJson())
                            .put("proposer", proposal.proposer())
                            .put("created_at_ms", proposal.createdAtMs())
                            .end()));
        } catch (StoreFault damaged) {
            return rec;
        }
    }

    private static Proposal proposal(Rec rec) throws StoreFault {
        try {
            return Proposal.fromJson(StrictJson.RECORD.read(rec.body(), "proposal"), "proposal");
        } catch (Refused e) {
            throw new StoreFault(StoreFault.Kind.CORRUPT, e.detail(), e);
        }
    }
}
