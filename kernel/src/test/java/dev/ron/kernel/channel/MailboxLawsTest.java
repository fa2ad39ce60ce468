package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A mailbox is a bounded queue with a close, whatever is done to it in whatever order. */
class MailboxLawsTest {

    enum Step {
        SEND,
        RECEIVE,
        CLOSE,
        DRAIN
    }

    @Property
    void doesWhatABoundedQueueDoes(
            @ForAll @IntRange(min = 1, max = 5) int capacity,
            @ForAll OnFull onFull,
            @ForAll @Size(max = 60) List<Step> steps) {
        List<Integer> dropped = new ArrayList<>();
        Mailbox<Integer> box = new Mailbox<>(
                Topology.mailbox("work", capacity).onFull(onFull), Meter.none(), (item, cause) -> dropped.add(item));
        Deque<Integer> model = new ArrayDeque<>();
        List<Integer> evicted = new ArrayList<>();
        boolean closed = false;
        int next = 0;
        for (Step step : steps) {
            switch (step) {
                case SEND -> {
                    Sent expected = closed ? Sent.CLOSED : Sent.ACCEPTED;
                    if (!closed && model.size() == capacity) {
                        if (onFull == OnFull.REJECT_NEW) {
                            expected = Sent.FULL;
                        } else {
                            evicted.add(model.removeFirst());
                        }
                    }
                    if (expected == Sent.ACCEPTED) {
                        model.addLast(next);
                    }
                    assertThat(box.trySend(next++)).isEqualTo(expected);
                }
                case RECEIVE ->
                    assertThat(box.tryReceive().map(Delivery::item).orElse(null))
                            .isEqualTo(model.pollFirst());
                case CLOSE -> {
                    box.close();
                    closed = true;
                }
                case DRAIN -> {
                    assertThat(box.drain()).containsExactlyElementsOf(model);
                    model.clear();
                    closed = true;
                }
            }
            assertThat(box.depth()).isEqualTo(model.size());
            assertThat(box.finished()).isEqualTo(closed && model.isEmpty());
            assertThat(dropped).isEqualTo(evicted);
        }
    }
}
