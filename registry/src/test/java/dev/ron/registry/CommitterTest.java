package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Committed;
import dev.ron.registry.book.Signers;
import dev.ron.registry.book.Standing;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.tlog.Notary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The one writer under load, on a disk that is full, broken or slow. */
class CommitterTest {
    private final Signers council = new Signers(2, 3);

    private static void fails(Code code, String reason, ThrowingRun run) {
        assertThatThrownBy(run::run).isInstanceOfSatisfying(RonException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.reason()).isEqualTo(reason);
        });
    }

    @FunctionalInterface
    private interface ThrowingRun {
        void run() throws Exception;
    }

    private static List<Thread> inParallel(int count, java.util.function.IntConsumer body) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = i;
            threads.add(Thread.ofVirtual().start(() -> body.accept(n)));
        }
        return threads;
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    // a sync that takes long | 64 callers commit meanwhile  ->  they share the next sync
    @Test
    void whatGathersDuringASyncSharesTheNextOne() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            List<Proposal> ready = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                ready.add(desk.approved("svc." + i));
            }
            Proposal first = desk.approved("svc.first");
            CountDownLatch syncing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            AtomicBoolean held = new AtomicBoolean();
            disk.onSync(() -> {
                if (held.compareAndSet(false, true)) {
                    syncing.countDown();
                    await(go);
                }
            });
            int before = disk.syncs();
            List<Thread> one = inParallel(1, n -> commitQuietly(desk, first));
            await(syncing);
            assertThat(desk.registry.view().version())
                    .as("nothing shows before its sync")
                    .isEqualTo(1);
            List<Thread> rest = inParallel(64, n -> commitQuietly(desk, ready.get(n)));
            Eventually.await(
                    "all wait in the queue", () -> desk.queues.commits().depth() == 64);
            go.countDown();
            join(one);
            join(rest);
            assertThat(desk.registry.view().version()).isEqualTo(66);
            assertThat(disk.syncs() - before)
                    .as("one for the first, one for the 64")
                    .isEqualTo(2);
        }
    }

    private static Answer.Committed commitQuietly(CommitDesk desk, Proposal proposal) {
        try {
            return desk.commit(proposal);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aFullQueueIsBusyAtOnceAndCounted() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            Proposal first = desk.approved("svc.first");
            CountDownLatch syncing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            disk.onSync(() -> {
                syncing.countDown();
                await(go);
            });
            List<Thread> one = inParallel(1, n -> commitQuietly(desk, first));
            await(syncing);
            List<Thread> waiting = inParallel(512, n -> commitQuietly(desk, first));
            Eventually.await("the queue is full", () -> desk.queues.commits().depth() == 512);
            fails(Code.BUSY, "busy", () -> desk.commit(first));
            assertThat(desk.count("busy_rejections_total/commit")).isEqualTo(1);
            disk.onSync(() -> {});
            go.countDown();
            join(one);
            join(waiting);
            assertThat(desk.registry.view().version())
                    .as("once, however often it was asked")
                    .isEqualTo(2);
        }
    }

    @Test
    void aCallersDeadlineRidesWithTheCommandAndIsCounted() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            Proposal first = desk.approved("svc.first");
            Proposal late = desk.approved("svc.late");
            CountDownLatch syncing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            disk.onSync(() -> {
                syncing.countDown();
                await(go);
            });
            List<Thread> one = inParallel(1, n -> commitQuietly(desk, first));
            await(syncing);
            Command command = new Command.Commit(late.proposalId(), Optional.empty());
            assertThatThrownBy(() -> desk.ask(desk.commits, command, Duration.ofMillis(50)))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.code()).isEqualTo(Code.TIMEOUT));
            assertThat(desk.count("io_timeouts_total/commit")).isEqualTo(1);
            disk.onSync(() -> {});
            go.countDown();
            join(one);
            Eventually.await("the queue is empty", () -> desk.queues.commits().depth() == 0);
            desk.approved("svc.after");
            assertThat(desk.registry.view().version())
                    .as("what expired in the queue was not begun")
                    .isEqualTo(2);
            assertThat(desk.commit(late).entry().version()).isEqualTo(3);
        }
    }

    @Test
    void aFullDiskTurnsWritesAwayAndTakesThemAgainWhenThereIsRoom() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 8 << 10), council)) {
            List<Proposal> ready = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ready.add(desk.approved("svc." + i));
            }
            disk.capacity(disk.used());
            AtomicInteger done = new AtomicInteger();
            RonException full = null;
            while (full == null) {
                try {
                    desk.commit(ready.get(done.get()));
                    done.incrementAndGet();
                } catch (RonException e) {
                    full = e;
                }
            }
            assertThat(full.code()).isEqualTo(Code.STORAGE_BUSY);
            assertThat(desk.committer.disk().fault()).isPresent();
            assertThat(desk.count("storage_backoff_total/append")).isPositive();
            assertThat(desk.registry.view().version()).as("reads go on").isEqualTo(done.get() + 1L);
            disk.capacity(Long.MAX_VALUE);
            Eventually.await("it writes again", () -> {
                try {
                    desk.commit(ready.get(done.get()));
                    return true;
                } catch (RonException stillFull) {
                    return false;
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(desk.committer.disk().fault()).isEmpty();
        }
    }

    // the disk is full | there is room again and nobody writes  ->  the writer finds out by itself
    @Test
    void roomOnAFullDiskIsFoundWithoutAnybodyWriting() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 8 << 10), council)) {
            disk.capacity(disk.used());
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            desk.approved("svc." + i);
                        }
                    })
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.code()).isEqualTo(Code.STORAGE_BUSY));
            assertThat(desk.committer.disk().fault()).isPresent();
            disk.capacity(Long.MAX_VALUE);
            Eventually.await(
                    "it can be written", () -> desk.committer.disk().fault().isEmpty());
        }
    }

    @Test
    void afterAFailedSyncNothingIsWrittenAndReadsGoOn() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            Proposal one = desk.approved("svc.1");
            Proposal two = desk.approved("svc.2");
            desk.commit(one);
            disk.failSyncs(1);
            fails(Code.UNAVAILABLE, "storage_failed", () -> desk.commit(two));
            int syncs = disk.syncs();
            fails(Code.UNAVAILABLE, "storage_failed", () -> desk.commit(two));
            assertThat(disk.syncs()).as("the sync is never tried again").isEqualTo(syncs);
            assertThat(desk.registry.view().version()).isEqualTo(2);
            assertThat(desk.registry.artifact(2)).isPresent();
        }
    }

    // the council's clock stands still at NOW + 1
    @Test
    void whatHasExpiredIsClosedWithoutAnybodyAsking() throws Exception {
        try (CommitDesk desk = new CommitDesk(new MemoryStore(), council)) {
            Proposal old = Proposal.of(
                    council.put("svc.old", 0, "http://old").payload(), "acme/ann", "old", Signers.NOW, Signers.NOW);
            desk.ask(desk.proposals, new Command.Propose(old));
            Eventually.await(
                    "it is closed",
                    () -> desk.registry
                            .book()
                            .closed(old.proposalId())
                            .filter(closed -> closed.standing() == Standing.EXPIRED)
                            .isPresent());
        }
    }

    // a sync is held | readers, the stream and the checkpoint look  ->  they find what was durable before
    @Test
    void nothingIsShownToldOrSignedBeforeItsSync() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council);
                Subscription<Committed> news = desk.committed.subscribe("publisher")) {
            Proposal proposal = desk.approved("svc.a");
            Notary notary = new Notary(council.logKeys, desk.registry.view(), Clock.system(), Duration.ofMinutes(1));
            CountDownLatch syncing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            disk.onSync(() -> {
                syncing.countDown();
                await(go);
            });
            AtomicBoolean answered = new AtomicBoolean();
            List<Thread> one = inParallel(1, n -> {
                commitQuietly(desk, proposal);
                answered.set(true);
            });
            await(syncing);
            assertThat(answered).isFalse();
            assertThat(news.tryReceive()).isEmpty();
            assertThat(desk.registry.view().version()).isEqualTo(1);
            assertThat(desk.registry.book().versionOf(proposal.proposalId())).isEmpty();
            assertThat(desk.registry.view().ledger().state().get("svc.a")).isEmpty();
            assertThat(notary.checkpoint(desk.registry.view()).render()).contains("\n1\n");
            disk.onSync(() -> {});
            go.countDown();
            join(one);
            Eventually.await("the stream hears of it", () -> news.tryReceive().isPresent());
            assertThat(notary.checkpoint(desk.registry.view()).render()).contains("\n2\n");
        }
    }

    // the writer crashes in a sync | the sync of its restart fails  ->  no third sync calls good what
    // the second dropped
    @Test
    void aFailedSyncIsNotTriedAgainByAWriterThatStartsAnew() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            Proposal one = desk.approved("svc.1");
            int before = disk.syncs();
            AtomicBoolean crashed = new AtomicBoolean();
            disk.onSync(() -> {
                if (crashed.compareAndSet(false, true)) {
                    disk.failSyncs(1);
                    throw new IllegalStateException("the writer crashes");
                }
            });
            Command commit = new Command.Commit(one.proposalId(), Optional.empty());
            assertThatThrownBy(() -> desk.ask(desk.commits, commit, Duration.ofSeconds(1)))
                    .isInstanceOf(RonException.class);
            Eventually.await("the writer is back, and says that it cannot write", () -> {
                try {
                    desk.ask(desk.commits, commit, Duration.ofSeconds(5));
                    return false;
                } catch (RonException e) {
                    return e.reason().equals("storage_failed");
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(disk.syncs() - before).as("the crash, and the restart").isEqualTo(2);
            assertThat(desk.registry.view().version()).isEqualTo(1);
        }
    }

    // a reader of `committed` that never reads | commits  ->  the reader lags and is told, commits do not wait
    @Test
    void aStalledReaderOfTheNewsHoldsUpNobody() throws Exception {
        try (CommitDesk desk = new CommitDesk(new MemoryStore(), council);
                Subscription<Committed> stalled = desk.committed.subscribe("publisher")) {
            int commits = RegistryTopology.COMMITTED + 50;
            for (int i = 0; i < commits; i++) {
                desk.commit(desk.approved("svc." + i));
            }
            assertThat(stalled.tryReceive()).get().isInstanceOf(Received.Lagged.class);
            assertThat(desk.count("bus_lagged_total/publisher")).isPositive();
            assertThat(desk.registry.view().version()).isEqualTo(commits + 1L);
        }
    }

    // a sync that takes long | a commit waits in the queue | stop  ->  it is answered, later ones are refused
    @Test
    void aStopFinishesWhatIsQueuedAndRefusesTheRest() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        AtomicReference<Answer.Committed> answer = new AtomicReference<>();
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            Proposal first = desk.approved("svc.first");
            Proposal queued = desk.approved("svc.queued");
            CountDownLatch syncing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            disk.onSync(() -> {
                syncing.countDown();
                await(go);
            });
            List<Thread> one = inParallel(1, n -> commitQuietly(desk, first));
            await(syncing);
            List<Thread> other = inParallel(1, n -> answer.set(commitQuietly(desk, queued)));
            Eventually.await(
                    "it waits in the queue", () -> desk.queues.commits().depth() == 1);
            desk.stop();
            fails(Code.DRAINING, "draining", () -> desk.commit(queued));
            go.countDown();
            join(one);
            join(other);
            assertThat(answer.get()).extracting(done -> done.entry().version()).isEqualTo(3L);
        }
    }
}
