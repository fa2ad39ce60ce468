package dev.ron.registry.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Topology;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.bundle.BundleVerifier;
import dev.ron.ledger.bundle.Trust;
import dev.ron.ledger.bundle.Verdict;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Op;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Forgery;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Savepoint;
import dev.ron.registry.book.Scrutiny;
import dev.ron.registry.book.Signers;
import dev.ron.registry.commit.Counter;
import dev.ron.registry.commit.Job;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.Bundles;
import dev.ron.registry.tlog.Notary;
import dev.ron.service.config.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pruning takes payloads only, only where a checkpoint covers them, and survives a cut at every step. */
class RetentionTest {
    private static final int SEGMENT = 12 << 10;
    private static final int COMMITS = 12;

    private final Signers council = new Signers(2, 3);
    private final Counter ctl = new Counter(
            new Mailbox<Ask<Job, Answer>>(Topology.mailbox("ctl", 64)),
            new Mailbox<>(Topology.mailbox("bell", 1)),
            "ctl",
            Meter.none());

    private static RegistryConfig.Retention bySize() {
        return new RegistryConfig.Retention(RegistryConfig.Policy.BY_SIZE, Duration.ofHours(1), 100, Bytes.of(1));
    }

    /** One descriptor, changed again and again, so that old payloads are not current. */
    private Registry filled(FaultyDisk disk, SegmentStore store) throws IOException {
        Registry registry = council.create(store);
        council.commit(registry, council.put("svc.kept", 0, "http://kept"));
        for (int i = 0; i < COMMITS; i++) {
            council.commit(registry, council.put("svc.a", i, "http://" + "x".repeat(400) + i));
        }
        Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
        new Archive(disk, registry).store(registry.view(), notary.checkpoint(registry.view()));
        return registry;
    }

    private Retention retention(Registry registry, SegmentStore store) {
        return new Retention(registry, store, RetentionTest::bySize, ctl, Clock.system());
    }

    private static Savepoint.Source snapshots(FaultyDisk disk) {
        return () -> Archive.newestSnapshot(disk);
    }

    @Test
    void onlyWhatACheckpointCoversGoesAndTheRestStillVerifies() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            Registry registry = filled(disk, store);
            long head = registry.view().version();
            int files = store.whole().size();
            assertThat(files).isGreaterThan(1);
            assertThat(retention(registry, store).pruneOne(1))
                    .as("the checkpoint covers too little")
                    .isFalse();
            long before = store.bytes();
            int pruned = 0;
            while (retention(registry, store).pruneOne(head)) {
                pruned++;
            }
            assertThat(pruned).isEqualTo(files);
            assertThat(store.bytes()).isLessThan(before);
            assertThat(registry.artifact(1)).as("the genesis stays").isPresent();
            assertThat(registry.artifact(2)).as("its value is current").isPresent();
            assertThat(registry.artifact(3)).as("superseded").isEmpty();
            assertThat(registry.approvals(3).size()).as("approvals stay").isEqualTo(2);
            Registry again =
                    Registry.open(store, Limits.DEFAULT, snapshots(disk)).orElseThrow();
            assertThat(store.trouble()).isEmpty();
            assertThat(again.view().ledger().headHash())
                    .isEqualTo(registry.view().ledger().headHash());
            assertThat(again.view().auditHash()).isEqualTo(registry.view().auditHash());
            assertThat(again.view().minimumVersion()).isGreaterThan(3);
            Notary notary = new Notary(council.logKeys, again.view(), Clock.system(), Duration.ofMinutes(1));
            assertThat(new Bundles(again, notary).of(again.view(), head, List.of("svc.kept", "svc.a")))
                    .isNotNull();
            assertThat(scrutinise(again)).isEqualTo(head);
            council.commit(again, council.put("svc.a", COMMITS, "http://next"));
            Scrutiny late = new Scrutiny(again);
            while (late.verified() < again.view().version()) {
                assertThat(late.step()).isTrue();
            }
            Forgery.commit(again, council, council.put("svc.a", COMMITS + 1, "http://forged"));
            assertThatThrownBy(late::step)
                    .as("behind pruned payloads signatures are checked on")
                    .isInstanceOf(Refused.class);
        }
    }

    // put | 60 other commits | deprecated | pruned  ->  what it says was approved when it was put, and still proved
    @Test
    void whatWroteADeprecatedValueStays() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            Registry registry = filled(disk, store);
            council.commit(registry, council.propose(new Body.Change(List.of(new Op.Deprecate("svc.kept", 1)))));
            council.commit(registry, council.put("svc.a", COMMITS, "http://next"));
            long head = registry.view().version();
            Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
            new Archive(disk, registry).store(registry.view(), notary.checkpoint(registry.view()));
            while (retention(registry, store).pruneOne(head)) {
                // all that may go
            }
            proves(registry, notary, "svc.kept");
            proves(reopened(store, disk), notary, "svc.kept");
            forgetContentVersions(disk);
            Registry upgraded = reopened(store, disk);
            proves(upgraded, notary, "svc.kept");
            new Archive(disk, upgraded).store(upgraded.view(), notary.checkpoint(upgraded.view()));
            assertThat(snapshot(disk)).contains("content_version");
        }
    }

    private static Registry reopened(SegmentStore store, FaultyDisk disk) throws IOException {
        return Registry.open(store, Limits.DEFAULT, snapshots(disk)).orElseThrow();
    }

    /** Makes the snapshot one of a release that did not say which version wrote a deprecated value. */
    private static void forgetContentVersions(FaultyDisk disk) throws IOException {
        String old = snapshot(disk).replaceAll("\"content_version\":\\d+,", "");
        assertThat(old).isNotEqualTo(snapshot(disk));
        disk.replace("snapshots/" + disk.list("snapshots").getLast(), old.getBytes(StandardCharsets.UTF_8));
    }

    private static String snapshot(FaultyDisk disk) {
        return new String(disk.content("snapshots/" + disk.list("snapshots").getLast()), StandardCharsets.UTF_8);
    }

    private static void proves(Registry registry, Notary notary, String id) throws IOException {
        assertThat(registry.artifact(3)).as("superseded").isEmpty();
        byte[] bundle = new Bundles(registry, notary)
                .of(registry.view(), registry.view().version(), List.of(id))
                .bytes();
        assertThat(new BundleVerifier(Trust.pinned(registry.entry(1).hash())).verify(bundle))
                .isInstanceOfSatisfying(
                        Verdict.Ok.class, ok -> assertThat(ok.values().get(id)).isPresent());
    }

    // a vote that was never signed | its payload is pruned  ->  the votes are still there, and are still checked
    @Test
    void aForgedVoteIsFoundAlsoWhenItsPayloadIsGone() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            Registry registry = council.create(store);
            council.commit(registry, council.put("svc.a", 0, "http://0"));
            Forgery.commit(registry, council, council.put("svc.a", 1, "http://1"));
            for (int i = 2; i < COMMITS; i++) {
                council.commit(registry, council.put("svc.a", i, "http://" + "x".repeat(400) + i));
            }
            Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
            new Archive(disk, registry).store(registry.view(), notary.checkpoint(registry.view()));
            while (retention(registry, store).pruneOne(registry.view().version())) {
                // all that may go
            }
            Registry again =
                    Registry.open(store, Limits.DEFAULT, snapshots(disk)).orElseThrow();
            assertThat(again.artifact(3)).as("the payload of the forged commit").isEmpty();
            assertThatThrownBy(() -> scrutinise(again))
                    .isInstanceOfSatisfying(
                            Refused.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_SIG));
        }
    }

    private static long scrutinise(Registry registry) throws Exception {
        Scrutiny scrutiny = new Scrutiny(registry);
        while (scrutiny.step()) {
            // to the end
        }
        return scrutiny.verified();
    }

    // payloads were pruned | rot behind the snapshot  ->  all before the rot is served, and the rotten file is named
    @Test
    void rotBehindTheSnapshotTakesNothingBefore() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        long head;
        int end;
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            Registry registry = pruned(disk, store);
            head = registry.view().version();
            end = used(disk, newest(disk));
        }
        String rotten = newest(disk);
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            Registry registry =
                    Registry.open(store, Limits.DEFAULT, snapshots(disk)).orElseThrow();
            council.commit(registry, council.put("svc.b", 0, "http://b"));
            council.commit(registry, council.put("svc.c", 0, "http://c"));
        }
        disk.flip(rotten, end + 100, 2);
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            Registry registry =
                    Registry.open(store, Limits.DEFAULT, snapshots(disk)).orElseThrow();
            assertThat(registry.view().version()).isEqualTo(head);
            assertThat(registry.view().ledger().state().get("svc.a")).isPresent();
            assertThat(registry.recovery().damage())
                    .get()
                    .satisfies(fault -> assertThat(fault).hasMessageContaining(rotten));
        }
    }

    // payloads were pruned | rot before the snapshot  ->  no state of long ago is served for the one that is unknown
    @Test
    void aStateThatNothingTellsIsNotServed() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            pruned(disk, store);
        }
        disk.flip(newest(disk), used(disk, newest(disk)) - 1, 2);
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            assertThatThrownBy(() -> Registry.open(store, Limits.DEFAULT, snapshots(disk)))
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.CORRUPT))
                    .hasMessageContaining("up to version " + (COMMITS + 1))
                    .hasMessageContaining("the end of the log is missing or damaged");
        }
        disk.flip(disk.list("log").get(1).replaceFirst("^", "log/"), 60, 2);
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            assertThatThrownBy(() -> Registry.open(store, Limits.DEFAULT, snapshots(disk)))
                    .hasMessageContaining("log/" + disk.list("log").get(1) + " is damaged at byte 0");
        }
    }

    private Registry pruned(FaultyDisk disk, SegmentStore store) throws IOException {
        Registry registry = filled(disk, store);
        while (retention(registry, store).pruneOne(registry.view().version())) {
            // all that may go
        }
        assertThat(registry.artifact(3)).as("superseded").isEmpty();
        return registry;
    }

    private static String newest(FaultyDisk disk) {
        return "log/" + disk.list("log").getLast();
    }

    /** How far a file is written; behind that it is zero. */
    private static int used(FaultyDisk disk, String name) {
        byte[] bytes = disk.content(name);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    // the power is cut at every operation of pruning (K14, K15)
    @Test
    void aCutWhilePruningLosesNothing() throws Exception {
        Random random = new Random(9);
        for (int cut = 1; cut < 40; cut++) {
            for (FaultyDisk.Survivors survivors : FaultyDisk.Survivors.values()) {
                FaultyDisk disk = new FaultyDisk();
                SegmentStore store = SegmentStore.open(disk, SEGMENT);
                Registry registry = filled(disk, store);
                disk.cutAfter(cut);
                try {
                    while (retention(registry, store).pruneOne(registry.view().version())) {
                        // until the power is cut
                    }
                } catch (FaultyDisk.PowerCut expected) {
                    assertThat(expected).isNotNull();
                }
                FaultyDisk after = disk.afterCut(survivors, random);
                try (SegmentStore reopened = SegmentStore.open(after, SEGMENT)) {
                    Registry again = Registry.open(reopened, Limits.DEFAULT, snapshots(after))
                            .orElseThrow();
                    assertThat(reopened.trouble())
                            .as("cut %d %s", cut, survivors)
                            .isEmpty();
                    assertThat(again.view().ledger().headHash())
                            .isEqualTo(registry.view().ledger().headHash());
                }
            }
        }
    }
}
