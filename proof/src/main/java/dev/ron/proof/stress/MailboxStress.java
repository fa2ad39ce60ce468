package dev.ron.proof.stress;

import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A mailbox under the real memory model. */
public final class MailboxStress {
    private MailboxStress() {}

    /** An item whose field is written before it is sent. */
    static final class Letter {
        int text;
    }

    // write, trySend | tryReceive, read  ->  nothing yet, or the whole letter
    @JCStressTest
    @State
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "not there yet")
    @Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "whole")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a letter without its text")
    public static class Publication {
        private final Mailbox<Letter> box = new Mailbox<>(Topology.mailbox("work", 1));

        @Actor
        public void sender() {
            Letter letter = new Letter();
            letter.text = 42;
            box.trySend(letter);
        }

        @Actor
        public void receiver(I_Result result) {
            result.r1 = box.tryReceive().map(delivery -> delivery.item().text).orElse(-1);
        }
    }

    // trySend | close | arbiter drains  ->  delivered or CLOSED, never both, never neither
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "accepted and handed back")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "refused and not there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both or neither")
    public static class SendRacesClose {
        private final Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("work", 1));

        @Actor
        public void sender(II_Result result) {
            result.r1 = box.trySend(7) == Sent.ACCEPTED ? 1 : 0;
        }

        @Actor
        public void closer() {
            box.close();
        }

        @Arbiter
        public void rest(II_Result result) {
            List<Integer> rest = box.drain();
            result.r2 = rest.size();
        }
    }

    // receive (waits) | trySend  ->  it is woken and gets it
    @JCStressTest
    @State
    @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "received")
    @Outcome(expect = Expect.FORBIDDEN, desc = "slept through it")
    public static class Wake {
        private final Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("work", 1));

        @Actor
        public void sender() {
            box.trySend(7);
        }

        @Actor
        public void receiver(I_Result result) {
            result.r1 = box.receive(Deadline.after(Clock.system(), java.time.Duration.ofSeconds(10)))
                    .map(Delivery::item)
                    .orElse(-1);
        }
    }
}
