package dev.ron.registry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log in files: what a crash, a full disk and rot do to it. */
class SegmentStoreTest extends StoreContract {
    private static final int SMALL = 2048;

    @TempDir
    Path folder;

    @Override
    Store open() throws IOException {
        return SegmentStore.open(new RealDisk(folder), SMALL);
    }

    private static SegmentStore on(FaultyDisk disk) throws IOException {
        return SegmentStore.open(disk, SMALL);
    }

    private static FaultyDisk with(int batches) throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = on(disk)) {
            texts(store);
            for (int i = 1; i <= batches; i++) {
                store.append(i, List.of(rec("batch " + i + " " + "x".repeat(300))));
            }
        }
        return disk;
    }

    @Test
    void itIsThereAfterAReopen() throws IOException {
        try (Store store = open()) {
            texts(store);
            for (int i = 1; i <= 20; i++) {
                store.append(i, List.of(rec("n" + i + "y".repeat(200))));
            }
            assertThat(store.segments()).isGreaterThan(2);
        }
        try (Store store = open()) {
            assertThat(texts(store)).hasSize(20).last().asString().startsWith("20:n20");
            store.append(21, List.of(rec("more")));
        }
        try (Store store = open()) {
            assertThat(texts(store)).hasSize(21);
        }
    }

    @Test
    void aSecondProcessIsRefused() throws IOException {
        try (Store _ = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.LOCKED));
        }
        try (Store again = open()) {
            assertThat(texts(again)).isEmpty();
        }
    }

    // cut power at every operation, with every kind of survivors: what was acknowledged is there, nothing
    // is there twice
    @Test
    void anyPowerCutLosesOnlyWhatNobodyWasToldOf() throws IOException {
        Random random = new Random(7);
        int torn = 0;
        for (int cut = 1; cut < 400; cut++) {
            for (FaultyDisk.Survivors survivors : FaultyDisk.Survivors.values()) {
                FaultyDisk disk = new FaultyDisk();
                disk.cutAfter(cut);
                int acknowledged = 0;
                try {
                    SegmentStore store = on(disk);
                    texts(store);
                    for (int i = 1; i <= 12; i++) {
                        store.append(i, List.of(rec("batch " + i), rec("z".repeat(700))));
                        acknowledged = i;
                    }
                } catch (FaultyDisk.PowerCut expected) {
                    assertThat(expected).isNotNull();
                }
                FaultyDisk after = disk.afterCut(survivors, random);
                try (SegmentStore store = on(after)) {
                    List<String> seen = texts(store);
                    assertThat(store.trouble()).as("cut %d %s", cut, survivors).isEmpty();
                    long batches = store.next() - 1;
                    assertThat(batches)
                            .as("cut %d %s", cut, survivors)
                            .isBetween((long) acknowledged, acknowledged + 1L);
                    assertThat(seen).hasSize((int) batches * 2);
                    torn += batches > acknowledged ? 1 : 0;
                    store.append(batches + 1, List.of(rec("next")));
                    assertThat(texts(store)).hasSize((int) batches * 2 + 1);
                }
            }
        }
        assertThat(torn)
                .as("cuts after which an unacknowledged batch is there all the same")
                .isPositive();
    }

    @Test
    void aDamagedBatchBeforeOthersIsRotAndNothingIsCutOff() throws IOException {
        FaultyDisk disk = with(4);
        byte[] before = disk.content("log/seg-00000000000000000001.rgl");
        disk.flip("log/seg-00000000000000000001.rgl", 60, 3);
        byte[] damaged = disk.content("log/seg-00000000000000000001.rgl");
        try (SegmentStore store = on(disk)) {
            assertThat(texts(store)).isEmpty();
            assertThat(store.trouble()).get().satisfies(fault -> {
                assertThat(fault.kind()).isEqualTo(StoreFault.Kind.CORRUPT);
                assertThat(fault).hasMessageContaining("damaged at byte 0");
            });
            assertThatThrownBy(() -> store.append(1, List.of(rec("x")))).isInstanceOf(StoreFault.class);
        }
        assertThat(disk.content("log/seg-00000000000000000001.rgl"))
                .isEqualTo(damaged)
                .isNotEqualTo(before);
    }

    @Test
    void damageInAnEarlierSegmentIsRotAlsoAtItsEnd() throws IOException {
        FaultyDisk disk = with(12);
        assertThat(disk.list("log").size()).isGreaterThan(2);
        // the last batch of the first segment: behind it in this file are zeros only
        disk.flip("log/seg-00000000000000000001.rgl", 1200, 0);
        try (SegmentStore store = on(disk)) {
            assertThat(texts(store)).isNotEmpty();
            assertThat(store.trouble()).isPresent();
        }
    }

    @Test
    void damageInTheLastBatchIsATornTail() throws IOException {
        FaultyDisk disk = with(3);
        String file = "log/seg-00000000000000000001.rgl";
        disk.flip(file, 2 * 360 + 100, 0);
        byte[] before = disk.content(file);
        try (SegmentStore store = on(disk)) {
            Store.Recovery recovery = store.replay((seq, records) -> {});
            assertThat(recovery.batches()).isEqualTo(2);
            assertThat(recovery.truncatedBytes()).isPositive();
            assertThat(recovery.damage()).isEmpty();
            assertThat(disk.content(file)).as("reading cuts nothing off").isEqualTo(before);
            store.append(3, List.of(new Rec(Rec.Type.AUDIT, new byte[] {'x'})));
        }
        try (SegmentStore store = on(disk)) {
            Store.Recovery recovery = store.replay((seq, records) -> {});
            assertThat(recovery.batches()).isEqualTo(3);
            assertThat(recovery.truncatedBytes()).as("writing does").isZero();
        }
    }

    @Test
    void everyFlippedBitIsNoticed() throws IOException {
        int length = (int) lengthOf(with(3));
        for (int at = 0; at < length; at++) {
            FaultyDisk disk = with(3);
            disk.flip("log/seg-00000000000000000001.rgl", at, at % 8);
            try (SegmentStore store = on(disk)) {
                Store.Recovery recovery = store.replay((seq, records) -> {});
                assertThat(recovery.damage().isPresent() || recovery.truncatedBytes() > 0)
                        .as("byte %d", at)
                        .isTrue();
            }
        }
    }

    private static long lengthOf(FaultyDisk disk) throws IOException {
        try (SegmentStore store = on(disk)) {
            texts(store);
            return store.bytes();
        }
    }

    @Test
    void aFullDiskRefusesAndWorksAgainWhenThereIsRoom() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = on(disk)) {
            texts(store);
            disk.capacity(5000);
            int written = 0;
            StoreFault refused = null;
            while (refused == null) {
                try {
                    store.append(written + 1, List.of(rec("q".repeat(500))));
                    written++;
                } catch (StoreFault fault) {
                    refused = fault;
                }
            }
            assertThat(refused.kind()).isEqualTo(StoreFault.Kind.FULL);
            assertThat(store.trouble()).isEmpty();
            assertThat(written).isPositive();
            disk.capacity(Long.MAX_VALUE);
            store.append(written + 1, List.of(rec("again")));
            assertThat(texts(store)).hasSize(written + 1);
        }
    }

    @Test
    void aFailedSyncIsNeverTriedAgain() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = on(disk)) {
            texts(store);
            store.append(1, List.of(rec("a")));
            disk.failSyncs(1);
            assertThatThrownBy(() -> store.append(2, List.of(rec("b")))).isInstanceOf(StoreFault.class);
            int syncs = disk.syncs();
            assertThatThrownBy(() -> store.append(2, List.of(rec("b"))))
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.FAILED));
            assertThat(store.next()).isEqualTo(2);
            assertThatThrownBy(() -> texts(store))
                    .as("reading anew would sync what was dropped")
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.FAILED));
            assertThat(disk.syncs()).isEqualTo(syncs);
        }
    }

    // a sync fails, and the system takes what it dropped for written | a new start finds the batch in the cache | the
    // power is cut  ->  what the start has shown is still there
    @Test
    void aBatchWhoseSyncFailedIsDurableOnceAStartHasShownIt() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = on(disk)) {
            texts(store);
            store.append(1, List.of(rec("a")));
            disk.failSyncs(1);
            assertThatThrownBy(() -> store.append(2, List.of(rec("b")))).isInstanceOf(StoreFault.class);
        }
        try (SegmentStore store = on(disk)) {
            assertThat(texts(store)).containsExactly("1:a", "2:b");
        }
        try (SegmentStore store = on(disk.afterCut(FaultyDisk.Survivors.NONE, new Random(1)))) {
            assertThat(texts(store)).containsExactly("1:a", "2:b");
            assertThat(store.trouble()).isEmpty();
        }
    }

    // a file is made | the process ends before its folder is synced | a new one writes into it | the power is cut
    @Test
    void aFileThatAnEndedProcessHasMadeIsThereAfterAPowerCut() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = on(disk)) {
            texts(store);
            disk.failFolderSyncsOf("log"::equals);
            assertThatThrownBy(() -> store.append(1, List.of(rec("a")))).isInstanceOf(StoreFault.class);
            disk.failFolderSyncsOf(name -> false);
        }
        try (SegmentStore store = on(disk)) {
            texts(store);
            store.append(1, List.of(rec("a")));
        }
        try (SegmentStore store = on(disk.afterCut(FaultyDisk.Survivors.NONE, new Random(1)))) {
            assertThat(texts(store)).containsExactly("1:a");
        }
    }

    @Test
    void aFolderThatCannotBeSyncedStopsWritingToo() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = on(disk)) {
            texts(store);
            store.append(1, List.of(rec("x".repeat(1500))));
            disk.failFolderSyncsOf("log"::equals);
            assertThatThrownBy(() -> store.append(2, List.of(rec("y".repeat(1500)))))
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.FAILED));
            disk.failFolderSyncsOf(name -> false);
            assertThatThrownBy(() -> store.append(2, List.of(rec("z")))).isInstanceOf(StoreFault.class);
            assertThat(store.next()).isEqualTo(2);
        }
        try (SegmentStore store = on(disk)) {
            assertThat(texts(store)).hasSize(1);
            store.append(2, List.of(rec("after a start")));
        }
    }

    @Test
    void aSyncThatFailsWhileReadingIsNotTriedAgainEither() throws IOException {
        FaultyDisk disk = with(3);
        try (SegmentStore store = on(disk)) {
            disk.failSyncs(1);
            assertThatThrownBy(() -> texts(store)).isInstanceOf(StoreFault.class);
            int syncs = disk.syncs();
            assertThatThrownBy(() -> texts(store)).isInstanceOf(StoreFault.class);
            assertThatThrownBy(() -> store.append(4, List.of(rec("x")))).isInstanceOf(StoreFault.class);
            assertThat(disk.syncs()).isEqualTo(syncs);
        }
    }

    @Test
    void roomIsMadeAheadWithoutASyncOfItsOwn() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, 8 << 20)) {
            texts(store);
            store.append(1, List.of(rec("first makes the file")));
            int before = disk.syncs();
            for (int i = 2; i <= 40; i++) {
                store.append(i, List.of(rec("x".repeat(150 << 10))));
            }
            assertThat(store.segments()).isEqualTo(1);
            assertThat(disk.syncs()).isEqualTo(before + 39);
        }
        try (SegmentStore store = SegmentStore.open(disk, 8 << 20)) {
            assertThat(texts(store)).hasSize(40);
        }
    }

    // no room for the zeros that a batch takes along | it has room itself  ->  it is written, the one without
    // room is not
    @Test
    void aFullDiskIsNoTroubleToABatchThatHasItsRoom() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, 8 << 20)) {
            texts(store);
            store.append(1, List.of(rec("first makes the file")));
            disk.capacity(disk.used() + 1000);
            store.append(2, List.of(rec("x".repeat(800 << 10))));
            assertThatThrownBy(() -> store.append(3, List.of(rec("x".repeat(800 << 10)))))
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.FULL));
            disk.capacity(Long.MAX_VALUE);
            store.append(3, List.of(rec("again")));
            assertThat(texts(store)).hasSize(3);
        }
    }

    @Test
    void aBatchCostsOneSync() throws IOException {
        FaultyDisk disk = new FaultyDisk();
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            texts(store);
            store.append(1, List.of(rec("first makes the file")));
            int before = disk.syncs();
            store.append(2, List.of(rec("a"), rec("b"), rec("c")));
            assertThat(disk.syncs()).isEqualTo(before + 1);
        }
    }
}
