package dev.ron.proof.model;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A queue of two, a sender, a receiver and a shutdown: what was accepted is taken or handed back, each exactly once. */
class MailboxShutdownModelTest {
    private static final MailboxSpec TWO = Topology.mailbox("work", 2);

    /** What both the real mailbox and its broken twin can do. */
    interface Subject {
        boolean accepts(int item);

        /** The next item; empty once nothing more will come. */
        Optional<Integer> receive();

        List<Integer> drain();
    }

    private record Real(Mailbox<Integer> box) implements Subject {
        @Override
        public boolean accepts(int item) {
            return box.trySend(item) == Sent.ACCEPTED;
        }

        @Override
        public Optional<Integer> receive() {
            return box.receive(Models.never()).map(delivery -> delivery.item());
        }

        @Override
        public List<Integer> drain() {
            return box.drain();
        }
    }

    /** Broken: looks whether it is closed, then appends; so what is accepted may come after everyone has gone. */
    private static final class LooksThenAppends implements Subject {
        private final ConcurrentLinkedQueue<Integer> items = new ConcurrentLinkedQueue<>();
        private volatile boolean closed;

        @Override
        public boolean accepts(int item) {
            return !closed && items.size() < 2 && items.add(item);
        }

        @Override
        public Optional<Integer> receive() {
            return Optional.ofNullable(items.poll());
        }

        @Override
        public List<Integer> drain() {
            closed = true;
            List<Integer> rest = new ArrayList<>();
            for (Integer item = items.poll(); item != null; item = items.poll()) {
                rest.add(item);
            }
            return rest;
        }
    }

    /** Sends 1, 2 and 3. */
    private static final class Sender extends Thread {
        private final Subject box;
        volatile List<Integer> accepted = List.of();

        Sender(Subject box) {
            this.box = box;
        }

        @Override
        public void run() {
            accepted = Stream.of(1, 2, 3).filter(box::accepts).toList();
        }
    }

    /** Takes until the end. */
    private static final class Receiver extends Thread {
        private final Subject box;
        volatile List<Integer> taken = List.of();

        Receiver(Subject box) {
            this.box = box;
        }

        @Override
        public void run() {
            List<Integer> all = new ArrayList<>();
            for (Optional<Integer> next = box.receive(); next.isPresent(); next = box.receive()) {
                all.add(next.get());
            }
            taken = List.copyOf(all);
        }
    }

    /** Closes, and takes what is left. */
    private static final class Closer extends Thread {
        private final Subject box;
        volatile List<Integer> handedBack = List.of();

        Closer(Subject box) {
            this.box = box;
        }

        @Override
        public void run() {
            handedBack = List.copyOf(box.drain());
        }
    }

    private static void run(Subject box) {
        Sender sender = new Sender(box);
        Receiver receiver = new Receiver(box);
        Closer closer = new Closer(box);
        sender.start();
        receiver.start();
        closer.start();
        Models.join(sender);
        Models.join(receiver);
        Models.join(closer);
        List<Integer> ended = Stream.concat(receiver.taken.stream(), closer.handedBack.stream())
                .sorted()
                .toList();
        Models.check(ended.equals(sender.accepted), "accepted " + sender.accepted + ", ended " + ended);
        Models.check(closer.handedBack.size() <= 2, "more than fits");
        Models.check(box.drain().isEmpty() && !box.accepts(4), "something comes after the end");
    }

    // send, send, send | receive.. | drain  ->  each accepted item is taken or handed back, once, and all end
    @Test
    void whatWasAcceptedIsTakenOrHandedBack() {
        Models.endsWell(() -> run(new Real(new Mailbox<>(TWO))));
    }

    @Test
    void aTwinThatLooksBeforeItAppendsIsCaught() {
        Models.hangsOrFails(() -> run(new LooksThenAppends()));
    }
}
