package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Topology;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many real threads at once; the exhaustive side of the same claims is in the proof module. */
@ExtendWith(NoLeaks.class)
class MailboxRaceTest {
    private static final Deadline NEVER = Deadline.never(Clock.system());
    private static final int ITEMS = 20_000;

    // 4 x trySend | 3 x receive | close | drain   ->  every accepted item at exactly one place
    @RepeatedTest(10)
    void everyAcceptedItemEndsInExactlyOnePlace() {
        Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("work", 8));
        Queue<Integer> accepted = new ConcurrentLinkedQueue<>();
        Queue<Integer> seen = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        try (Crew crew = new Crew()) {
            for (int s = 0; s < 4; s++) {
                crew.add(() -> {
                    for (int item = next.getAndIncrement(); item < ITEMS; item = next.getAndIncrement()) {
                        Sent sent = box.trySend(item);
                        while (sent == Sent.FULL) {
                            Thread.onSpinWait();
                            sent = box.trySend(item);
                        }
                        if (sent == Sent.CLOSED) {
                            return;
                        }
                        accepted.add(item);
                    }
                });
            }
            for (int r = 0; r < 3; r++) {
                crew.addVirtual(() -> {
                    for (var got = box.receive(NEVER); got.isPresent(); got = box.receive(NEVER)) {
                        seen.add(got.get().item());
                    }
                });
            }
            crew.add(() -> {
                while (next.get() < ITEMS / 2) {
                    Thread.onSpinWait();
                }
                seen.addAll(box.drain());
            });
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(accepted).doesNotHaveDuplicates();
        assertThat(box.finished()).isTrue();
    }

    // 3 x trySend on a full drop-oldest box | receive | close  ->  accepted = received + evicted + rest, each once
    @RepeatedTest(10)
    void everyEvictedItemIsHandedBackOnce() {
        Queue<Integer> seen = new ConcurrentLinkedQueue<>();
        Queue<Integer> accepted = new ConcurrentLinkedQueue<>();
        Mailbox<Integer> box = new Mailbox<>(
                Topology.mailbox("sched", 2).onFull(OnFull.DROP_OLDEST), Meter.none(), (item, cause) -> seen.add(item));
        AtomicBoolean overfull = new AtomicBoolean();
        AtomicInteger next = new AtomicInteger();
        try (Crew crew = new Crew()) {
            for (int s = 0; s < 3; s++) {
                crew.add(() -> {
                    for (int item = next.getAndIncrement(); item < ITEMS; item = next.getAndIncrement()) {
                        Sent sent = box.trySend(item);
                        assertThat(sent).isNotEqualTo(Sent.FULL);
                        if (sent == Sent.ACCEPTED) {
                            accepted.add(item);
                        }
                        if (box.depth() > 2) {
                            overfull.set(true);
                        }
                    }
                    box.close();
                });
            }
            crew.add(() -> {
                for (var got = box.receive(NEVER); got.isPresent(); got = box.receive(NEVER)) {
                    seen.add(got.get().item());
                }
            });
        }
        seen.addAll(box.drain());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(accepted).doesNotHaveDuplicates();
        assertThat(overfull).isFalse();
    }

    // one sender, one receiver  ->  the order of sending
    @Test
    void oneSendersItemsArriveInOrder() {
        Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("work", 3));
        List<Integer> seen = new java.util.ArrayList<>();
        try (Crew crew = new Crew()) {
            crew.add(() -> {
                for (int i = 0; i < ITEMS; i++) {
                    while (box.trySend(i) == Sent.FULL) {
                        Thread.onSpinWait();
                    }
                }
                box.close();
            });
            crew.addVirtual(() -> {
                for (var got = box.receive(NEVER); got.isPresent(); got = box.receive(NEVER)) {
                    seen.add(got.get().item());
                }
            });
        }
        assertThat(seen)
                .containsExactlyElementsOf(IntStream.range(0, ITEMS).boxed().toList());
    }

    // receive | interrupt | trySend  ->  the item is received by somebody
    @RepeatedTest(50)
    void anInterruptNeverCostsAnItem() {
        Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("work", 4));
        Queue<Integer> seen = new ConcurrentLinkedQueue<>();
        try (Crew crew = new Crew()) {
            List<Thread> receivers = IntStream.range(0, 2)
                    .mapToObj(i -> crew.addVirtual(() -> {
                        try {
                            for (var got = box.receive(NEVER); got.isPresent(); got = box.receive(NEVER)) {
                                seen.add(got.get().item());
                            }
                        } catch (Canceled _) {
                            // What it had not taken is still there.
                        }
                    }))
                    .toList();
            crew.add(() -> {
                box.trySend(1);
                box.trySend(2);
                box.trySend(3);
            });
            crew.add(() -> receivers.getFirst().interrupt());
            crew.add(box::close);
        }
        seen.addAll(box.drain());
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(box.finished()).isTrue();
        assertThat(box.depth()).isZero();
    }
}
