package dev.ron.registry.book;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.ledger.model.Entry;
import dev.ron.registry.store.Ref;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What is durable, as readers see it; only {@link Registry} changes it, and only after a batch is on disk. */
public final class Book {
    private static final int RECENT = 4096;
    private static final int NONCES = 100_000;

    private final Map<String, Docket> dockets = new ConcurrentHashMap<>();
    private final Map<String, Closed> closed = new ConcurrentHashMap<>();
    private final Map<String, Long> committed = new ConcurrentHashMap<>();
    private final Map<Long, Entry> recent = new ConcurrentHashMap<>();
    private final Map<Nonce, String> proposed = new ConcurrentHashMap<>();
    private final ArrayDeque<Nonce> nonces = new ArrayDeque<>();
    private final Shelf entries = new Shelf();
    private final Shelf audits = new Shelf();
    private final Limits limits;
    private final Snapshot<View> view;
    private final Map<String, Load> pendingBy = new HashMap<>();
    private long pendingBytes;

    /** A proposal that was not committed and never will be. */
    public record Closed(Standing standing, String detail) {}

    /** What waits for votes. */
    private record Load(int count, long bytes) {
        static final Load NONE = new Load(0, 0);

        Load plus(Docket docket) {
            return new Load(count + 1, bytes + docket.weight());
        }

        Load minus(Docket docket) {
            return new Load(count - 1, bytes - docket.weight());
        }
    }

    /** What a proposer calls a proposal. */
    private record Nonce(String proposer, String nonce) {}

    Book(Limits limits, View first) {
        this.limits = limits;
        this.view = new Snapshot<>(first);
    }

    public View view() {
        return view.get();
    }

    public Optional<Docket> docket(String id) {
        return Optional.ofNullable(dockets.get(id));
    }

    /** The open proposals, oldest first. */
    public List<Docket> dockets() {
        return dockets.values().stream()
                .sorted(Comparator.comparingLong(
                                (Docket docket) -> docket.proposal().createdAtMs())
                        .thenComparing(Docket::id))
                .toList();
    }

    public int pending() {
        return dockets.size();
    }

    public Optional<Closed> closed(String id) {
        return Optional.ofNullable(closed.get(id));
    }

    /** The version a proposal became. */
    public Optional<Long> versionOf(String proposalId) {
        return Optional.ofNullable(committed.get(proposalId));
    }

    Optional<Entry> recentEntry(long version) {
        return Optional.ofNullable(recent.get(version));
    }

    /** What this proposer has proposed under this nonce, whatever became of it; the newest are remembered. */
    public Optional<String> proposed(String proposer, String nonce) {
        return Optional.ofNullable(proposed.get(new Nonce(proposer, nonce)));
    }

    /** Pending stands for any open one. */
    public Optional<Standing> standing(String id) {
        if (dockets.containsKey(id)) {
            return Optional.of(Standing.PENDING);
        }
        if (committed.containsKey(id)) {
            return Optional.of(Standing.COMMITTED);
        }
        return closed(id).map(Closed::standing);
    }

    Ref entryRef(long version) {
        return entries.get(version);
    }

    Ref auditRef(long seq) {
        return audits.get(seq);
    }

    List<Docket> expired(long nowMs, int max) {
        return dockets.values().stream()
                .filter(docket -> docket.proposal().expiresAtMs() < nowMs)
                .limit(max)
                .toList();
    }

    /** Room for one more beside what is here and what the same batch brings. */
    void requireRoom(String proposer, int weight, Collection<Docket> batch) {
        Load all = new Load(dockets.size(), pendingBytes);
        Load own = pendingBy.getOrDefault(proposer, Load.NONE);
        for (Docket docket : batch) {
            if (!dockets.containsKey(docket.id())) {
                all = all.plus(docket);
                own = docket.proposal().proposer().equals(proposer) ? own.plus(docket) : own;
            }
        }
        String whose = own.count() + " proposals of " + proposer + " wait for votes";
        if (own.count() >= limits.maxPendingPerProposer()) {
            throw noRoom(whose + " (registry.limits.max_pending_per_proposer)");
        }
        if (own.bytes() + weight > limits.maxBytesPerProposer()) {
            throw noRoom(whose + " with " + own.bytes() + " bytes in memory, this one takes " + weight + " (expected: "
                    + limits.maxBytesPerProposer() + ", a quarter of registry.limits.max_pending_bytes)");
        }
        if (all.count() >= limits.maxPending()) {
            throw noRoom(all.count() + " proposals wait for votes (registry.limits.max_pending_proposals)");
        }
        if (all.bytes() + weight > limits.maxPendingBytes()) {
            throw noRoom(all.count() + " proposals wait for votes, with " + all.bytes()
                    + " bytes in memory (registry.limits.max_pending_bytes)");
        }
    }

    private static RonException noRoom(String why) {
        return new RonException(Code.QUOTA_EXHAUSTED, "quota", why, Duration.ofSeconds(60), null);
    }

    // --- the writer's side

    void opened(Docket docket) {
        Docket before = dockets.put(docket.id(), docket);
        if (before == null) {
            pendingBytes += docket.weight();
            pendingBy.merge(docket.proposal().proposer(), Load.NONE.plus(docket), (load, first) -> load.plus(docket));
            remember(docket);
        }
    }

    private void remember(Docket docket) {
        Nonce nonce = new Nonce(docket.proposal().proposer(), docket.proposal().nonce());
        if (proposed.putIfAbsent(nonce, docket.id()) == null) {
            nonces.add(nonce);
            if (nonces.size() > Math.max(NONCES, limits.maxPending())) {
                proposed.remove(nonces.remove());
            }
        }
    }

    void gone(String id) {
        Docket before = dockets.remove(id);
        if (before != null) {
            pendingBytes -= before.weight();
            pendingBy.computeIfPresent(
                    before.proposal().proposer(), (who, load) -> load.count() > 1 ? load.minus(before) : null);
        }
    }

    void close(String id, Closed why) {
        // In this order, so that a reader finds it in one of the two.
        closed.put(id, why);
        gone(id);
    }

    void commit(Entry entry, Ref ref) {
        entries.add(ref);
        recent.put(entry.version(), entry);
        recent.remove(entry.version() - RECENT);
        committed.put(entry.proposalId(), entry.version());
        gone(entry.proposalId());
    }

    void audited(Ref ref) {
        audits.add(ref);
    }

    void publish(View next) {
        view.publish(next);
    }
}
