package dev.ron.ledger.state;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.Sha256;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.tree.TreeHash;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What all change sets so far add up to, and its {@code state_root}.
 *
 * <p>A value: applying a change copies the touched buckets and the path above them, never the rest. The root proves what a
 * log alone cannot: that a descriptor is the current one, or that there is none.
 */
public final class State {
    static final int BUCKETS = 256;

    public static final State EMPTY = empty();

    private final Bucket[] buckets;
    // The tree over the buckets as a heap: node i has children 2i and 2i+1, bucket b sits at BUCKETS + b, slot
    // 0 is unused.
    private final TreeHash[] nodes;

    private State(Bucket[] buckets, TreeHash[] nodes) {
        this.buckets = buckets;
        this.nodes = nodes;
    }

    private static State empty() {
        Bucket[] buckets = new Bucket[BUCKETS];
        TreeHash[] nodes = new TreeHash[2 * BUCKETS];
        for (int i = 2 * BUCKETS - 1; i > 0; i--) {
            nodes[i] = i < BUCKETS ? TreeHash.node(nodes[2 * i], nodes[2 * i + 1]) : Bucket.EMPTY.leaf();
        }
        nodes[0] = nodes[1];
        java.util.Arrays.fill(buckets, Bucket.EMPTY);
        return new State(buckets, nodes);
    }

    /** A state out of its descriptors; whether it is the right one, its root tells. */
    public static State of(Collection<Held> all) {
        return EMPTY.with(all.stream().collect(Collectors.groupingBy(held -> Row.bucketOf(held.id()))));
    }

    public TreeHash root() {
        return nodes[1];
    }

    /** The descriptor under an id, a tombstone included. */
    public Optional<Held> get(String id) {
        return buckets[Row.bucketOf(id)].get(id);
    }

    /** All descriptors, tombstones included, bucket by bucket. */
    public Stream<Held> all() {
        return Stream.of(buckets).flatMap(bucket -> bucket.all().stream());
    }

    /** The state after a change set, or a refusal that names the descriptor whose revision has moved on. */
    public State apply(Body body, long version) throws Refused {
        return switch (body) {
            case Body.Change change -> with(results(change.ops()), version);
            case Body.Supersede supersede -> with(results(supersede.ops()), version);
            case Body.ReplaceAll all -> with(replaced(all.items()), version);
            case Body.Genesis genesis -> with(replaced(genesis.items()), version);
            case Body.Rotate _ -> this;
        };
    }

    /** The bucket of an id with its path to the root. */
    public StateProof prove(String id) {
        int bucket = Row.bucketOf(id);
        List<TreeHash> siblings = new ArrayList<>();
        for (int node = BUCKETS + bucket; node > 1; node /= 2) {
            siblings.add(nodes[node ^ 1]);
        }
        return new StateProof(id, buckets[bucket].rows(), siblings);
    }

    private List<Descriptor> results(List<Op> ops) throws Refused {
        List<Descriptor> results = new ArrayList<>();
        for (Op op : ops) {
            Optional<Descriptor> before = get(op.id()).map(Held::descriptor);
            long rev = before.map(Descriptor::rev).orElse(0L);
            if (rev != op.expectRev()) {
                throw new Refused(
                        Reason.STALE_PRECONDITION,
                        "descriptor " + op.id() + " is at revision " + rev + " (expected: " + op.expectRev() + ")");
            }
            results.add(
                    switch (op) {
                        case Op.Put put -> put(before, put.id(), put.draft());
                        case Op.Deprecate _ -> published(before, op).deprecate();
                        case Op.Remove _ -> live(before, op).remove();
                    });
        }
        return results;
    }

    private static Descriptor put(Optional<Descriptor> before, String id, Draft draft) {
        return before.map(descriptor -> descriptor.put(draft))
                .orElseGet(() -> new Descriptor(id, 1, Descriptor.State.PUBLISHED, draft));
    }

    // Once only: the content of a deprecated descriptor is then always that of the revision just before.
    private static Descriptor published(Optional<Descriptor> before, Op op) throws Refused {
        return before.filter(descriptor -> descriptor.state() == Descriptor.State.PUBLISHED)
                .orElseThrow(
                        () -> new Refused(Reason.STALE_PRECONDITION, "descriptor " + op.id() + " is not published"));
    }

    private static Descriptor live(Optional<Descriptor> before, Op op) throws Refused {
        return before.filter(Descriptor::isLive)
                .orElseThrow(() ->
                        new Refused(Reason.STALE_PRECONDITION, "descriptor " + op.id() + " is not there any more"));
    }

    // What is already as listed keeps its revision: nothing about it changed.
    private List<Descriptor> replaced(List<Item> items) {
        List<Descriptor> results = new ArrayList<>();
        Set<String> listed = new HashSet<>();
        for (Item item : items) {
            listed.add(item.id());
            Optional<Descriptor> before = get(item.id()).map(Held::descriptor);
            boolean same = before.filter(old -> old.state() == Descriptor.State.PUBLISHED
                            && old.content().equals(item.draft()))
                    .isPresent();
            if (!same) {
                results.add(put(before, item.id(), item.draft()));
            }
        }
        all().map(Held::descriptor)
                .filter(old -> old.isLive() && !listed.contains(old.id()))
                .forEach(old -> results.add(old.remove()));
        return results;
    }

    private State with(List<Descriptor> changed, long version) {
        Map<Integer, List<Held>> byBucket = new HashMap<>();
        for (Descriptor descriptor : changed) {
            byBucket.computeIfAbsent(Row.bucketOf(descriptor.id()), _ -> new ArrayList<>())
                    .add(held(descriptor, version));
        }
        return with(byBucket);
    }

    // Deprecating carries no content: what it keeps was written by whatever made the revision before.
    private Held held(Descriptor descriptor, long version) {
        long contentVersion = descriptor.state() == Descriptor.State.DEPRECATED
                ? get(descriptor.id()).map(Held::contentVersion).orElse(version)
                : version;
        return Held.of(descriptor, version, contentVersion);
    }

    private State with(Map<Integer, List<Held>> byBucket) {
        Bucket[] newBuckets = buckets.clone();
        TreeHash[] newNodes = nodes.clone();
        MessageDigest digest = Sha256.start();
        byBucket.forEach((bucket, held) -> {
            newBuckets[bucket] = newBuckets[bucket].with(held);
            newNodes[BUCKETS + bucket] = newBuckets[bucket].leaf();
            for (int node = (BUCKETS + bucket) / 2; node > 0; node /= 2) {
                newNodes[node] = TreeHash.node(digest, newNodes[2 * node], newNodes[2 * node + 1]);
            }
        });
        return new State(newBuckets, newNodes);
    }
}
