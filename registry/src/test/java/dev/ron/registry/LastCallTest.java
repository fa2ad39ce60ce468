package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.book.Signers;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.SegmentStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the service stops, who waits for the committer waits no longer than {@code registry.drain_deadline}. */
@Timeout(60)
class LastCallTest {
    private static final int QUEUED = 3;

    private final Signers council = new Signers(2, 3);
    private final FaultyDisk disk = new FaultyDisk();
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();

    private Thread commit(CommitDesk desk, Proposal proposal) {
        return Thread.ofVirtual().start(() -> {
            try {
                answers.add("version " + desk.commit(proposal).entry().version());
            } catch (RonException e) {
                answers.add(e.code() == Code.DRAINING ? "draining" : e.toString());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private boolean answered(Deadline limit) {
        return new Waiters().await("answers", limit, () -> answers.size() > QUEUED ? Boolean.TRUE : null) != null;
    }

    private LastCall lastCall(CommitDesk desk) {
        return new LastCall(desk.queues, this::answered, () -> Duration.ofMillis(200), Clock.system());
    }

    // a sync hangs | commits wait behind it | the service stops  ->  they are answered, and the sync is still under way
    @Test
    void whatWaitsBehindASyncThatHangsIsAnsweredAsDraining() throws Exception {
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            List<Proposal> ready = new ArrayList<>();
            for (int i = 0; i <= QUEUED; i++) {
                ready.add(desk.approved("svc." + i));
            }
            CountDownLatch syncing = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            disk.onSync(() -> {
                syncing.countDown();
                await(go);
            });
            List<Thread> callers = new ArrayList<>();
            callers.add(commit(desk, ready.getFirst()));
            await(syncing);
            for (Proposal proposal : ready.subList(1, QUEUED + 1)) {
                callers.add(commit(desk, proposal));
            }
            Eventually.await(
                    "they wait in the queue", () -> desk.queues.commits().depth() == QUEUED);

            assertThat(lastCall(desk).drain(Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                    .isTrue();
            disk.onSync(() -> {});
            go.countDown();
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(answers)
                    .as("what the writer had taken it finishes")
                    .containsExactlyInAnyOrder("version 2", "draining", "draining", "draining");
        }
    }

    @Test
    void whileNobodyWaitsNothingIsRefused() throws Exception {
        try (CommitDesk desk = new CommitDesk(SegmentStore.open(disk, 1 << 20), council)) {
            Proposal proposal = desk.approved("svc.a");
            LastCall idle = new LastCall(desk.queues, limit -> true, () -> Duration.ZERO, Clock.system());
            assertThat(idle.drain(Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                    .isTrue();
            assertThat(desk.commit(proposal).entry().version()).isEqualTo(2);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
