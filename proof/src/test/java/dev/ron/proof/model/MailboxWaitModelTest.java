package dev.ron.proof.model;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.Topology;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The ring, the line of waiters and the sleeping thread together: nobody sleeps while there is something to take. */
class MailboxWaitModelTest {
    private static final MailboxSpec ONE = Topology.mailbox("work", 1);
    private static final MailboxSpec TWO = Topology.mailbox("work", 2);

    /** Takes until the box ends or it is interrupted; how many. */
    private static final class Receiver extends Thread {
        private final Mailbox<Integer> box;
        volatile int taken;

        Receiver(Mailbox<Integer> box) {
            this.box = box;
        }

        @Override
        public void run() {
            int count = 0;
            try {
                while (box.receive(Models.never()).isPresent()) {
                    count++;
                    taken = count;
                }
            } catch (Canceled _) {
                // It was interrupted, and says how many it had taken.
            }
        }
    }

    /** Takes one. */
    private static final class OneTaker extends Thread {
        private final Mailbox<Integer> box;
        volatile boolean got;

        OneTaker(Mailbox<Integer> box) {
            this.box = box;
        }

        @Override
        public void run() {
            got = box.receive(Models.never()).isPresent();
        }
    }

    // receive, receive.. | send, send, close  ->  both taken, the receiver ends
    @Test
    void aReceiverIsWokenForEveryItemAndForTheEnd() {
        Models.endsWell(() -> {
            Mailbox<Integer> box = new Mailbox<>(TWO);
            Receiver receiver = new Receiver(box);
            receiver.start();
            box.trySend(1);
            box.trySend(2);
            box.close();
            Models.join(receiver);
            Models.check(receiver.taken == 2, "taken " + receiver.taken);
        });
    }

    // receive | receive | send, send  ->  both receivers get one
    @Test
    void anItemNeverWaitsWhileAReceiverSleeps() {
        Models.endsWell(() -> {
            Mailbox<Integer> box = new Mailbox<>(TWO);
            OneTaker first = new OneTaker(box);
            OneTaker second = new OneTaker(box);
            first.start();
            second.start();
            box.trySend(1);
            box.trySend(2);
            Models.join(first);
            Models.join(second);
            Models.check(first.got && second.got, "one got nothing");
        });
    }

    // receive.. | receive.. | send, close  ->  one takes, both end
    @Test
    void theEndReachesEveryReceiver() {
        Models.endsWell(() -> {
            Mailbox<Integer> box = new Mailbox<>(ONE);
            Receiver first = new Receiver(box);
            Receiver second = new Receiver(box);
            first.start();
            second.start();
            box.trySend(1);
            box.close();
            Models.join(first);
            Models.join(second);
            Models.check(first.taken + second.taken == 1, "taken " + first.taken + " + " + second.taken);
        });
    }

    // receive | receive | interrupt the first | send  ->  the item is taken by one of them, or still there
    @Test
    void aSignalToAnInterruptedReceiverIsPassedOn() {
        Models.endsWell(() -> {
            Mailbox<Integer> box = new Mailbox<>(ONE);
            Receiver first = new Receiver(box);
            OneTaker second = new OneTaker(box);
            first.start();
            second.start();
            first.interrupt();
            box.trySend(1);
            Models.join(first);
            if (first.taken == 1) {
                box.trySend(2);
            }
            Models.join(second);
            Models.check(second.got, "the second sleeps beside an item");
        });
    }

    /** Broken: the receiver sleeps without looking again after it has registered. */
    private static final class DrowsyBox {
        private final ConcurrentLinkedQueue<Integer> items = new ConcurrentLinkedQueue<>();
        private volatile @Nullable Thread waiter;
        private volatile boolean signalled;

        void send(int item) {
            items.add(item);
            Thread sleeping = waiter;
            if (sleeping != null) {
                signalled = true;
                LockSupport.unpark(sleeping);
            }
        }

        @Nullable
        Integer receive() {
            Integer item = items.poll();
            if (item == null) {
                waiter = Thread.currentThread();
                while (!signalled) {
                    LockSupport.park(this);
                }
                item = items.poll();
            }
            return item;
        }
    }

    /** Takes one from the broken box. */
    private static final class DrowsyTaker extends Thread {
        private final DrowsyBox box;
        volatile @Nullable Integer got;

        DrowsyTaker(DrowsyBox box) {
            this.box = box;
        }

        @Override
        public void run() {
            got = box.receive();
        }
    }

    @Test
    void aSleeperThatDoesNotLookAgainIsCaught() {
        Models.hangsOrFails(() -> {
            DrowsyBox box = new DrowsyBox();
            DrowsyTaker taker = new DrowsyTaker(box);
            taker.start();
            box.send(1);
            Models.join(taker);
            Models.check(taker.got != null, "nothing taken");
        });
    }
}
