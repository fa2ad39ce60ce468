package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeaks.class)
class MailboxTest {
    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final List<String> dropped = new ArrayList<>();

    private Mailbox<Integer> box(MailboxSpec spec) {
        return new Mailbox<>(spec, meter, (item, cause) -> dropped.add(item + " " + cause));
    }

    private Mailbox<Integer> box(int capacity) {
        return box(Topology.mailbox("work", capacity));
    }

    private static int take(Mailbox<Integer> box) {
        return box.tryReceive().orElseThrow().item();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 512})
    void isFullOnlyWhenFullAndKeepsTheOrderOverManyLaps(int capacity) {
        Mailbox<Integer> box = box(capacity);
        int sent = 0;
        int taken = 0;
        for (int lap = 0; lap < 5; lap++) {
            while (box.depth() < capacity) {
                assertThat(box.trySend(sent++)).isEqualTo(Sent.ACCEPTED);
            }
            assertThat(box.trySend(-1)).isEqualTo(Sent.FULL);
            for (int i = 0; i < Math.max(1, capacity / 2); i++) {
                assertThat(take(box)).isEqualTo(taken++);
            }
        }
        assertThat(box.depth()).isEqualTo(sent - taken);
    }

    @Test
    void capacityZeroIsRefused() {
        assertThatThrownBy(() -> Topology.mailbox("work", 0)).hasMessageContaining("capacity 0");
    }

    @Test
    void closeDeliversWhatWasAccepted() {
        Mailbox<Integer> box = box(4);
        box.trySend(1);
        box.trySend(2);
        box.close();
        assertThat(box.trySend(3)).isEqualTo(Sent.CLOSED);
        assertThat(box.finished()).isFalse();
        assertThat(take(box)).isEqualTo(1);
        assertThat(box.receive(Deadline.never(clock)).orElseThrow().item()).isEqualTo(2);
        assertThat(box.finished()).isTrue();
        assertThat(box.receive(Deadline.never(clock))).isEmpty();
        assertThat(box.tryReceive()).isEmpty();
    }

    @Test
    void drainHandsBackTheRestOnce() {
        Mailbox<Integer> box = box(4);
        box.trySend(1);
        box.trySend(2);
        assertThat(box.drain()).containsExactly(1, 2);
        assertThat(box.drain()).isEmpty();
        assertThat(box.trySend(3)).isEqualTo(Sent.CLOSED);
        assertThat(dropped).isEmpty();
    }

    @Test
    void drainAndAnswerTellsOfEveryItemEvenWhenOneAnswerFails() {
        List<Integer> told = new ArrayList<>();
        Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("work", 4), meter, (item, cause) -> {
            told.add(item);
            throw new IllegalStateException("cannot answer " + item + " " + cause);
        });
        box.trySend(1);
        box.trySend(2);
        box.drainAndAnswer();
        assertThat(told).containsExactly(1, 2);
        assertThat(meter.count("queue_drained_total", "queue", "work")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 512})
    void dropOldestHandsBackTheEvictedItemAndStaysFull(int capacity) {
        Mailbox<Integer> box = box(Topology.mailbox("sched", capacity).onFull(OnFull.DROP_OLDEST));
        for (int i = 0; i < capacity; i++) {
            assertThat(box.trySend(i)).isEqualTo(Sent.ACCEPTED);
        }
        assertThat(dropped).isEmpty();
        assertThat(box.trySend(capacity)).isEqualTo(Sent.ACCEPTED);
        assertThat(dropped).containsExactly("0 EVICTED");
        assertThat(box.depth()).isEqualTo(capacity);
        for (int i = 1; i <= capacity; i++) {
            assertThat(take(box)).isEqualTo(i);
        }
        assertThat(meter.count("queue_dropped_total", "queue", "sched")).isEqualTo(1);
        box.close();
        assertThat(box.trySend(9)).isEqualTo(Sent.CLOSED);
    }

    @Test
    void aClosedFullDropOldestBoxEvictsNothing() {
        Mailbox<Integer> box = box(Topology.mailbox("sched", 1).onFull(OnFull.DROP_OLDEST));
        box.trySend(1);
        box.close();
        assertThat(box.trySend(2)).isEqualTo(Sent.CLOSED);
        assertThat(dropped).isEmpty();
        assertThat(take(box)).isEqualTo(1);
    }

    @Test
    void receiveEndsAtItsDeadline() {
        Mailbox<Integer> box = box(1);
        AtomicReference<Optional<Delivery<Integer>>> got = new AtomicReference<>();
        Thread receiver =
                Thread.ofVirtual().start(() -> got.set(box.receive(Deadline.after(clock, Duration.ofSeconds(5)))));
        Eventually.await("it waits", () -> clock.sleeping() == 1);
        clock.advance(Duration.ofSeconds(4));
        assertThat(got.get()).isNull();
        clock.advance(Duration.ofSeconds(1));
        Eventually.await("it ends", () -> !receiver.isAlive());
        assertThat(got.get()).isEmpty();
    }

    @Test
    void aParkedReceiverWakesForASend() {
        Mailbox<Integer> box = box(1);
        AtomicReference<Integer> got = new AtomicReference<>();
        Thread receiver = Thread.ofVirtual()
                .start(() ->
                        got.set(box.receive(Deadline.never(clock)).orElseThrow().item()));
        Eventually.await("it waits", () -> clock.parked() == 1);
        box.trySend(7);
        Eventually.await("it ends", () -> !receiver.isAlive());
        assertThat(got.get()).isEqualTo(7);
    }

    @Test
    void closeWakesEveryParkedReceiver() {
        Mailbox<Integer> box = box(1);
        List<Thread> receivers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            receivers.add(Thread.ofVirtual().start(() -> box.receive(Deadline.never(clock))));
        }
        Eventually.await("they wait", () -> clock.parked() == 5);
        box.close();
        Eventually.await("they end", () -> receivers.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void anInterruptedReceiveTakesNothing() {
        Mailbox<Integer> box = box(1);
        AtomicReference<Throwable> ended = new AtomicReference<>();
        Thread receiver = Thread.ofVirtual().start(() -> {
            try {
                box.receive(Deadline.never(clock));
            } catch (Canceled e) {
                ended.set(e);
            }
        });
        Eventually.await("it waits", () -> clock.parked() == 1);
        receiver.interrupt();
        Eventually.await("it ends", () -> !receiver.isAlive());
        assertThat(ended.get()).isInstanceOf(Canceled.class);
        assertThat(box.trySend(1)).isEqualTo(Sent.ACCEPTED);
        assertThat(take(box)).isEqualTo(1);
    }

    @Test
    void theSendersContextTravelsWithTheItem() throws Exception {
        Mailbox<Integer> box = box(1);
        CallContext sender = CallContext.of(Deadline.after(clock, Duration.ofSeconds(1)), "corr-1");
        sender.run(() -> box.trySend(1));
        Delivery<Integer> delivery = box.tryReceive().orElseThrow();
        assertThat(delivery.sender()).isEqualTo(sender);
        AtomicReference<CallContext> bound = new AtomicReference<>();
        delivery.handle(item -> bound.set(CallContext.current()));
        assertThat(bound.get()).isEqualTo(sender);
        assertThat(CallContext.current().corrId()).isEqualTo("-");
    }

    @Test
    void anExpiredItemIsDroppedInsteadOfHandled() throws Exception {
        Mailbox<Integer> box = box(1);
        CallContext.of(Deadline.after(clock, Duration.ofSeconds(1)), "c").run(() -> box.trySend(1));
        clock.advance(Duration.ofSeconds(1));
        box.tryReceive().orElseThrow().handle(item -> {
            throw new AssertionError("handled");
        });
        assertThat(dropped).containsExactly("1 EXPIRED");
        assertThat(meter.count("queue_expired_total", "queue", "work")).isEqualTo(1);
    }

    @Test
    void thePeakIsTheGreatestDepthSinceLastAsked() {
        Mailbox<Integer> box = box(8);
        for (int i = 0; i < 5; i++) {
            box.trySend(i);
        }
        for (int i = 0; i < 4; i++) {
            take(box);
        }
        assertThat(box.takePeak()).isEqualTo(5);
        assertThat(box.takePeak()).isEqualTo(1);
        box.trySend(9);
        assertThat(box.takePeak()).isEqualTo(2);
    }

    @Test
    void aTakenItemIsNotKeptAlive() {
        Mailbox<byte[]> box = new Mailbox<>(Topology.mailbox("work", 4));
        var held = new java.lang.ref.WeakReference<>(new byte[1024]);
        byte[] item = held.get();
        box.trySend(item == null ? new byte[0] : item);
        item = null;
        box.tryReceive();
        Eventually.await("it is collected", () -> {
            System.gc();
            return held.get() == null;
        });
        assertThat(box.depth()).isZero();
    }

    @Test
    void aReceiverOnTheSystemClockEndsToo() {
        Mailbox<Integer> box = box(1);
        assertThat(box.receive(Deadline.after(Clock.system(), Duration.ofMillis(1))))
                .isEmpty();
    }
}
