package dev.ron.registry.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.Clock;
import dev.ron.ledger.bundle.BundleVerifier;
import dev.ron.ledger.bundle.Trust;
import dev.ron.ledger.bundle.Verdict;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.note.Checkpoint;
import dev.ron.ledger.note.SignedNote;
import dev.ron.ledger.tree.EntryBundle;
import dev.ron.ledger.tree.TreeHash;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Signers;
import dev.ron.registry.book.View;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What lies beside the log: the witness of its head, its checkpoints and tiles, and bundles. */
class WitnessTest {
    private final Signers council = new Signers(2, 3);
    private final FaultyDisk outside = new FaultyDisk();
    private final Witness witness = new Witness(outside, "head");

    private Registry withCommits(int commits) throws IOException {
        Registry registry = council.create(new MemoryStore());
        for (int i = 0; i < commits; i++) {
            council.commit(registry, council.put("svc." + i, 0, "http://" + i));
        }
        return registry;
    }

    @Test
    void aWitnessThatLagsIsFineAndOneThatLeadsIsARollback() throws IOException {
        Registry registry = withCommits(2);
        witness.remember(registry.view());
        council.commit(registry, council.put("svc.more", 0, "http://more"));
        assertThatCode(() -> witness.check(registry)).as("K8: the log went on").doesNotThrowAnyException();
        witness.remember(registry.view());
        MemoryStore shorter = new MemoryStore();
        Registry older = council.create(shorter);
        assertThatThrownBy(() -> witness.check(older))
                .as("K9: the log was longer before")
                .isInstanceOfSatisfying(
                        StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.ROLLED_BACK))
                .hasMessageContaining("ends at version 1, it was at version 4");
    }

    @Test
    void aWitnessNeverGoesBack() throws IOException {
        Registry registry = withCommits(1);
        View older = registry.view();
        council.commit(registry, council.put("svc.more", 0, "http://more"));
        witness.remember(registry.view());
        byte[] before = outside.content("head");
        assertThatThrownBy(() -> new Witness(outside, "head").remember(older))
                .hasMessageContaining("ends at version 2, it was at version 3");
        assertThat(outside.content("head")).isEqualTo(before);
    }

    @Test
    void aStoredCheckpointIsNotTakenBack() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        Registry registry = withCommits(1);
        View older = registry.view();
        council.commit(registry, council.put("svc.more", 0, "http://more"));
        Notary notary = new Notary(council.logKeys, older, Clock.system(), Duration.ofMinutes(1));
        new Archive(disk, registry).store(registry.view(), notary.checkpoint(registry.view()));
        byte[] before = disk.content("tlog/checkpoint");
        assertThatThrownBy(() -> new Archive(disk, registry).store(older, notary.checkpoint(older)))
                .hasMessageContaining("would take it back");
        assertThat(disk.content("tlog/checkpoint")).isEqualTo(before);
    }

    @Test
    void anotherHistoryOfTheSameLengthIsARollbackToo() throws IOException {
        Registry registry = withCommits(2);
        witness.remember(registry.view());
        Registry other = council.create(new MemoryStore());
        for (int i = 0; i < 2; i++) {
            council.commit(other, council.put("svc.other" + i, 0, "http://" + i));
        }
        assertThatThrownBy(() -> witness.check(other)).hasMessageContaining("not the one that was there before");
    }

    @Test
    void aCrashWhileTheWitnessIsWrittenLeavesTheOldOneOrTheNew() throws IOException {
        Registry registry = withCommits(1);
        View old = registry.view();
        council.commit(registry, council.put("svc.next", 0, "http://next"));
        Random random = new Random(3);
        for (int cut = 1; cut < 12; cut++) {
            for (FaultyDisk.Survivors survivors : FaultyDisk.Survivors.values()) {
                FaultyDisk disk = new FaultyDisk();
                new Witness(disk, "head").remember(old);
                disk.cutAfter(cut);
                try {
                    new Witness(disk, "head").remember(registry.view());
                } catch (FaultyDisk.PowerCut expected) {
                    assertThat(expected).isNotNull();
                }
                FaultyDisk after = disk.afterCut(survivors, random);
                assertThatCode(() -> new Witness(after, "head").check(registry))
                        .as("cut %d %s", cut, survivors)
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void filesOnDiskAreWhatReadersOfTilesExpect() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            Registry registry = council.create(store);
            for (int i = 0; i < 5; i++) {
                council.commit(registry, council.put("svc." + i, 0, "http://" + i));
            }
            Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
            Archive archive = new Archive(disk, registry);
            archive.store(registry.view(), notary.checkpoint(registry.view()));
            SignedNote note = SignedNote.parse(text(disk, "tlog/checkpoint"));
            Checkpoint checkpoint = Checkpoint.open(note, Signers.ORIGIN, council.logKeys.verifiers(Signers.ORIGIN));
            assertThat(checkpoint.size()).isEqualTo(6);
            List<byte[]> entries = EntryBundle.decode(disk.readAll("tlog/tile/entries/000.p/6"));
            byte[] hashes = disk.readAll("tlog/tile/0/000.p/6");
            for (int i = 0; i < 6; i++) {
                assertThat(TreeHash.of(hashes, 32 * i)).isEqualTo(TreeHash.leaf(entries.get(i)));
            }
            assertThat(Archive.newestCheckpoint(disk)).isEqualTo(6);
            Registry again = Registry.open(store, Limits.DEFAULT, () -> Archive.newestSnapshot(disk))
                    .orElseThrow();
            assertThat(again.view().ledger().headHash())
                    .isEqualTo(registry.view().ledger().headHash());
            assertThat(again.view().ledger().state().get("svc.3"))
                    .isEqualTo(registry.view().ledger().state().get("svc.3"));
        }
    }

    // the power is cut at every operation of storing a checkpoint  ->  what it names is there, and the log opens
    @Test
    void aCutWhileACheckpointIsStoredLeavesTheOldOneOrTheNew() throws Exception {
        Random random = new Random(17);
        boolean whole = false;
        for (int cut = 1; !whole; cut++) {
            for (FaultyDisk.Survivors survivors : FaultyDisk.Survivors.values()) {
                FaultyDisk disk = new FaultyDisk();
                SegmentStore store = SegmentStore.open(disk, 1 << 20);
                Registry registry = council.create(store);
                Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
                Archive archive = new Archive(disk, registry);
                archive.store(registry.view(), notary.checkpoint(registry.view()));
                council.commit(registry, council.put("svc.a", 0, "http://a"));
                disk.cutAfter(cut);
                try {
                    archive.store(registry.view(), notary.checkpoint(registry.view()));
                    whole = true;
                } catch (FaultyDisk.PowerCut expected) {
                    assertThat(expected).isNotNull();
                }
                opens(disk.afterCut(survivors, random), registry.view(), "cut " + cut + " " + survivors);
            }
        }
    }

    private void opens(FaultyDisk disk, View before, String what) throws Exception {
        SignedNote note = SignedNote.parse(text(disk, "tlog/checkpoint"));
        Checkpoint checkpoint = Checkpoint.open(note, Signers.ORIGIN, council.logKeys.verifiers(Signers.ORIGIN));
        assertThat(checkpoint.size()).as(what).isBetween(1L, 2L);
        byte[] hashes = disk.readAll("tlog/tile/0/000.p/" + checkpoint.size());
        assertThat(hashes).as(what).hasSize((int) checkpoint.size() * 32);
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            Registry again = Registry.open(store, Limits.DEFAULT, () -> Archive.newestSnapshot(disk))
                    .orElseThrow();
            assertThat(store.trouble()).as(what).isEmpty();
            assertThat(again.view().ledger().headHash())
                    .as(what)
                    .isEqualTo(before.ledger().headHash());
            assertThat(Archive.newestCheckpoint(disk))
                    .as(what)
                    .isLessThanOrEqualTo(again.view().version());
        }
    }

    private static String text(FaultyDisk disk, String name) throws IOException {
        return new String(disk.readAll(name), StandardCharsets.UTF_8);
    }

    @Test
    void aBundleOfTheHeadProvesCurrentValuesOffline() throws Exception {
        Registry registry = withCommits(3);
        Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
        byte[] bundle = new Bundles(registry, notary)
                .of(registry.view(), 4, List.of("svc.1", "svc.none"))
                .bytes();
        Verdict verdict = new BundleVerifier(Trust.pinned(registry.entry(1).hash())).verify(bundle);
        assertThat(verdict).isInstanceOfSatisfying(Verdict.Ok.class, ok -> {
            assertThat(ok.isHead()).isTrue();
            assertThat(ok.values().get("svc.1")).isPresent();
            assertThat(ok.values().get("svc.none")).isEmpty();
        });
    }

    // put | 200 other commits | deprecated  ->  its bundle needs three commits, and reads no more
    @Test
    void aBundleOfADeprecatedValueSearchesNothing() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            Registry registry = council.create(store);
            council.commit(registry, council.put("svc.old", 0, "http://old"));
            for (int i = 0; i < 200; i++) {
                council.commit(registry, council.put("svc." + i, 0, "http://" + i));
            }
            long head =
                    council.commit(registry, council.propose(new Body.Change(List.of(new Op.Deprecate("svc.old", 1)))));
            Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
            int before = disk.reads();
            byte[] bundle = new Bundles(registry, notary)
                    .of(registry.view(), head, List.of("svc.old"))
                    .bytes();
            assertThat(disk.reads() - before).isLessThan(20);
            assertThat(new BundleVerifier(Trust.pinned(registry.entry(1).hash())).verify(bundle))
                    .isInstanceOfSatisfying(
                            Verdict.Ok.class,
                            ok -> assertThat(ok.values().get("svc.old")).isPresent());
        }
    }
}
