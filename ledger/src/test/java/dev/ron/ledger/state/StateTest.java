package dev.ron.ledger.state;

import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Council;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.Sha256;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.tree.NaiveTree;
import dev.ron.ledger.tree.TreeHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class StateTest {
    /** Names of one bucket, where a change moves what stands behind it. */
    private static final List<String> TOGETHER = IntStream.range(0, 10_000)
            .mapToObj(i -> "svc." + i)
            .filter(id -> Row.bucketOf(id) == Row.bucketOf("svc.7"))
            .limit(24)
            .toList();

    /** Random operations against a plain map; the root against a naive tree over the map. */
    @Property(tries = 60)
    void equalsANaiveMapAfterAnyOperations(@ForAll @Size(min = 1, max = 60) List<@IntRange(max = 9999) Integer> choices)
            throws Refused {
        State state = State.EMPTY;
        TreeMap<String, Descriptor> oracle = new TreeMap<>();
        long version = 1;
        for (int choice : choices) {
            String id = TOGETHER.get(choice % 12);
            Optional<Descriptor> before = Optional.ofNullable(oracle.get(id));
            long rev = before.map(Descriptor::rev).orElse(0L);
            Op op = rev == 0 || choice % 3 == 0
                    ? new Op.Put(id, rev, Council.draft("u" + choice))
                    : choice % 3 == 1 ? new Op.Remove(id, rev) : new Op.Deprecate(id, rev);
            Body.Change change = new Body.Change(List.of(op));
            boolean allowed = op instanceof Op.Put
                    || before.filter(old ->
                                    op instanceof Op.Remove ? old.isLive() : old.state() == Descriptor.State.PUBLISHED)
                            .isPresent();
            if (!allowed) {
                State now = state;
                refuses(() -> now.apply(change, 9), Reason.STALE_PRECONDITION, id);
                continue;
            }
            state = state.apply(change, ++version);
            Held held = state.get(id).orElseThrow();
            assertThat(held.version()).isEqualTo(version);
            assertThat(held.descriptor().rev()).isEqualTo(rev + 1);
            oracle.put(id, held.descriptor());
        }
        assertThat(state.all().map(held -> held.descriptor().id()))
                .containsExactlyInAnyOrderElementsOf(oracle.keySet());
        assertThat(state.root()).isEqualTo(naiveRoot(oracle));
        for (String id : TOGETHER.subList(0, 14)) {
            StateProof proof = state.prove(id);
            assertThat(StateProof.fromJson(proof.toJson(), "proof")).isEqualTo(proof);
            assertThat(proof.open(state.root())).isEqualTo(state.get(id).map(Held::row));
        }
    }

    /** Logs and bundles that exist carry such roots: however they are computed, they stay what they are. */
    @Example
    void theRootOfAStateNeverChanges() throws Refused {
        assertThat(State.EMPTY.root()).hasToString("k62hwF0BuW/KXTlDog2DwQetaPmJAAL+4B+BHI8MNh4=");
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            ops.add(new Op.Put("svc." + i, 0, link("u" + i)));
        }
        State state = State.EMPTY.apply(new Body.Change(ops), 2);
        assertThat(state.root()).hasToString("Badoht8VgUYnIQ9Lte7qCtlQFNIH8mmFWvpdF7/sU4Y=");
        List<Op> more =
                List.of(new Op.Put("svc.7", 1, link("new")), new Op.Remove("svc.8", 1), new Op.Deprecate("svc.9", 1));
        assertThat(state.apply(new Body.Change(more), 3).root())
                .hasToString("fKQCACM7tL6gXkxoL6EnY+pJBQLRyZ2HFZzIARErKpE=");
        assertThat(state.prove("svc.7").siblings()).hasSize(8);
    }

    @Example
    void manyAtOnceAndOneByOneMakeTheSameRoot() throws Refused {
        List<Op> ops = new ArrayList<>();
        State oneByOne = State.EMPTY;
        for (String id : TOGETHER) {
            Op op = new Op.Put(id, 0, link(id));
            ops.add(op);
            oneByOne = oneByOne.apply(new Body.Change(List.of(op)), 2);
        }
        assertThat(State.EMPTY.apply(new Body.Change(ops), 2).root()).isEqualTo(oneByOne.root());
    }

    private static Draft link(String url) {
        return Draft.of("service", new ObjWriter().put("url", url).end());
    }

    @Example
    void replaceAllRemovesTheRestAndKeepsTheUnchanged() throws Refused {
        State before = State.EMPTY.apply(
                new Body.Change(List.of(
                        new Op.Put("a", 0, Council.draft("1")),
                        new Op.Put("b", 0, Council.draft("2")),
                        new Op.Put("c", 0, Council.draft("3")))),
                2);
        Base base = new Base(2, dev.ron.ledger.hash.B3.ZERO);
        State after = before.apply(
                new Body.ReplaceAll(
                        base,
                        List.of(
                                new Item("a", Council.draft("1")),
                                new Item("b", Council.draft("new")),
                                new Item("d", Council.draft("4")))),
                3);
        assertThat(after.get("a").orElseThrow().version()).isEqualTo(2);
        assertThat(after.get("b").orElseThrow().descriptor().rev()).isEqualTo(2);
        assertThat(after.get("c").orElseThrow().descriptor().state()).isEqualTo(Descriptor.State.REMOVED);
        assertThat(after.get("d").orElseThrow().descriptor().rev()).isEqualTo(1);
        assertThat(before.get("c").orElseThrow().descriptor().isLive())
                .as("the old state is a value")
                .isTrue();
    }

    @Example
    void revisionsNeverRestart() throws Refused {
        State state = State.EMPTY.apply(new Body.Change(List.of(new Op.Put("a", 0, Council.draft("1")))), 2);
        state = state.apply(new Body.Change(List.of(new Op.Remove("a", 1))), 3);
        State removed = state;
        refuses(
                () -> removed.apply(new Body.Change(List.of(new Op.Put("a", 0, Council.draft("1")))), 4),
                Reason.STALE_PRECONDITION,
                "descriptor a is at revision 2 (expected: 0)");
        State again = removed.apply(new Body.Change(List.of(new Op.Put("a", 2, Council.draft("1")))), 4);
        assertThat(again.get("a").orElseThrow().descriptor().rev()).isEqualTo(3);
    }

    @Example
    void aChangeIsAppliedWholeOrNotAtAll() {
        Body.Change change = new Body.Change(
                List.of(new Op.Put("a", 0, Council.draft("1")), new Op.Put("b", 7, Council.draft("2"))));
        refuses(() -> State.EMPTY.apply(change, 2), Reason.STALE_PRECONDITION, "descriptor b");
        assertThat(State.EMPTY.get("a")).isEmpty();
    }

    @Property(tries = 200)
    void aChangedProofFails(@ForAll @IntRange(max = 255) int bit, @ForAll @IntRange(max = 8) int where) throws Refused {
        State state = filled();
        StateProof proof = state.prove("svc.7");
        List<TreeHash> siblings = new ArrayList<>(proof.siblings());
        List<Row> rows = new ArrayList<>(proof.rows());
        if (where < 8) {
            byte[] bytes = siblings.get(where).bytes();
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
            siblings.set(where, TreeHash.of(bytes, 0));
        } else {
            Row row = rows.getFirst();
            rows.set(0, new Row(row.id(), row.rev() + bit + 1, row.descriptorB3()));
        }
        StateProof changed = new StateProof("svc.7", rows, siblings);
        refuses(() -> changed.open(state.root()), Reason.STATE_MISMATCH, "state_root");
    }

    @Example
    void neitherPresenceNorAbsenceCanBeFaked() throws Refused {
        State state = filled();
        Descriptor real = state.get("svc.7").orElseThrow().descriptor();
        StateProof proof = state.prove("svc.7");
        proof.proves(real, state.root());
        refuses(
                () -> proof.proves(real.put(Council.draft("forged")), state.root()),
                Reason.STATE_MISMATCH,
                "revision 1");
        refuses(() -> proof.provesAbsence(state.root()), Reason.STATE_MISMATCH, "does hold");
        state.prove("absent").provesAbsence(state.root());
        refuses(() -> state.prove("absent").proves(real, state.root()), Reason.STATE_MISMATCH, "holds no such");
        // The bucket of another id, where the row is indeed absent.
        String other = firstIdOutsideBucketOf("svc.7");
        StateProof elsewhere = new StateProof(
                "svc.7", state.prove(other).rows(), state.prove(other).siblings());
        assertThatThrownBy(() -> elsewhere.provesAbsence(state.root())).isInstanceOf(Refused.class);
        List<Row> twice = List.of(proof.rows().getFirst(), proof.rows().getFirst());
        refuses(
                () -> new StateProof("svc.7", twice, proof.siblings()).open(state.root()),
                Reason.STATE_MISMATCH,
                "sorted");
    }

    private static String firstIdOutsideBucketOf(String id) {
        for (int i = 0; ; i++) {
            if (Row.bucketOf("x" + i) != Row.bucketOf(id)) {
                return "x" + i;
            }
        }
    }

    private static State filled() throws Refused {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            ops.add(new Op.Put("svc." + i, 0, Council.draft("u" + i)));
        }
        return State.EMPTY.apply(new Body.Change(ops), 2);
    }

    private static TreeHash naiveRoot(SortedMap<String, Descriptor> descriptors) {
        List<TreeHash> leaves = new ArrayList<>();
        for (int bucket = 0; bucket < 256; bucket++) {
            List<Json> rows = new ArrayList<>();
            for (Descriptor descriptor : descriptors.values()) {
                if (Row.bucketOf(descriptor.id()) == bucket) {
                    rows.add(new Json.Arr(List.of(
                            new Json.Str(descriptor.id()),
                            new Json.Int(descriptor.rev()),
                            new Json.Str(descriptor.hash().text()))));
                }
            }
            leaves.add(TreeHash.leaf(Sha256.of(CanonicalJson.bytes(new Json.Arr(rows)))));
        }
        return NaiveTree.root(leaves);
    }
}
