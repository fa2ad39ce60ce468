package dev.ron.proof.edge;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.topology.Topology;
import java.util.List;
import java.util.Optional;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Test;

/** The seed's model: one producer, a queue of two, one consumer and a shutdown; every item finished or handed back, once. */
class WorkQueueModelTest {
    private static final int RUNS = Boolean.getBoolean("ron.long") ? 12_000 : 800;
    private static final int ITEMS = 3;

    /** The queue, and the way it ends. */
    static class Work {
        final Mailbox<Integer> queue = new Mailbox<>(Topology.mailbox("work", 2));

        List<Integer> end() {
            return queue.drain();
        }
    }

    /** Broken: closes, and forgets what was left. */
    static final class Forgetful extends Work {
        @Override
        List<Integer> end() {
            queue.drain();
            return List.of();
        }
    }

    static final class Producer extends Thread {
        private final Work work;
        volatile int accepted; // one bit for each item

        Producer(Work work) {
            this.work = work;
        }

        @Override
        public void run() {
            int bits = 0;
            for (int item = 0; item < ITEMS; item++) {
                if (work.queue.trySend(item) == Sent.ACCEPTED) {
                    bits |= 1 << item;
                }
            }
            accepted = bits;
        }
    }

    static final class Consumer extends Thread {
        private final Work work;
        volatile int done;
        volatile boolean twice;

        Consumer(Work work) {
            this.work = work;
        }

        @Override
        public void run() {
            int bits = 0;
            for (int i = 0; i < ITEMS; i++) {
                Optional<Delivery<Integer>> next = work.queue.tryReceive();
                if (next.isPresent()) {
                    int bit = 1 << next.get().item();
                    twice |= (bits & bit) != 0;
                    bits |= bit;
                }
            }
            done = bits;
        }
    }

    static final class Stopper extends Thread {
        private final Work work;
        volatile int handedBack;
        volatile int count;

        Stopper(Work work) {
            this.work = work;
        }

        @Override
        public void run() {
            int bits = 0;
            List<Integer> rest = work.end();
            for (int item : rest) {
                bits |= 1 << item;
            }
            count = rest.size();
            handedBack = bits;
        }
    }

    static class Scenario implements Runnable {
        private final boolean broken;

        Scenario(boolean broken) {
            this.broken = broken;
        }

        @Override
        public void run() {
            Work work = broken ? new Forgetful() : new Work();
            Producer producer = new Producer(work);
            Consumer consumer = new Consumer(work);
            Stopper stopper = new Stopper(work);
            Thread a = producer;
            Thread b = consumer;
            Thread c = stopper;
            a.start();
            b.start();
            c.start();
            join(a);
            join(b);
            join(c);
            check(!consumer.twice, "an item came twice");
            check((consumer.done & stopper.handedBack) == 0, "finished and handed back");
            check((consumer.done | stopper.handedBack) == producer.accepted, "an accepted item is lost");
            check(stopper.count <= 2, "more than the queue holds");
            check(work.queue.finished(), "something is left behind");
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void check(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }

    // send, send, send | receive ... | drain  ->  each accepted item is finished or handed back, never both, never
    // neither
    @Test
    void nothingIsLostAndNothingTwice() {
        Scenario scenario = new Scenario(false);
        scenario.run();
        Lincheck.runConcurrentTest(RUNS, scenario);
    }

    @Test
    void aTwinThatForgetsTheRestIsCaught() {
        assertThatThrownBy(() -> Lincheck.runConcurrentTest(RUNS, new Scenario(true)))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
