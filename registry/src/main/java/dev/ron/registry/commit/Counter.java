package dev.ron.registry.commit;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Turn;
import java.time.Duration;

/** Where callers hand in commands of one kind: refused at once when the queue is full, else answered once durable. */
public final class Counter {
    private final Mailbox<Ask<Job, Answer>> queue;
    private final Mailbox<Boolean> bell;
    private final Meter.Count busy;
    private final Meter.Count late;

    public Counter(Mailbox<Ask<Job, Answer>> queue, Mailbox<Boolean> bell, String endpoint, Meter meter) {
        this.queue = queue;
        this.bell = bell;
        this.busy = meter.counter("busy_rejections_total", "endpoint", endpoint);
        this.late = meter.counter("io_timeouts_total", "op", endpoint);
    }

    /** Waits for the answer until the caller's deadline; it rides with the command. */
    public Answer ask(Command command, String actor) {
        CallContext caller = CallContext.current();
        Ask<Job, Answer> ask = Ask.of(new Job(command, new Turn.By(actor, caller.corrId())));
        Sent sent = queue.trySend(ask);
        switch (sent) {
            case ACCEPTED -> {
                // Rung after the command is in the queue; a bell that rings already will be answered after this.
                Sent _ = bell.trySend(true);
            }
            case FULL -> {
                busy.increment();
                throw new RonException(
                        Code.BUSY, "busy", "queue " + queue.spec().name() + " is full", Duration.ofSeconds(1), null);
            }
            case CLOSED -> throw new RonException(Code.DRAINING, "draining", "the service is stopping");
        }
        try {
            return ask.reply().await(caller.deadline());
        } catch (RonException e) {
            if (e.code() == Code.TIMEOUT) {
                late.increment();
            }
            throw e;
        }
    }

    /** Hands in a command whose answer nobody waits for; false when there is no room for it. */
    public boolean tell(Command command, String actor) {
        Sent sent = queue.trySend(
                Ask.of(new Job(command, new Turn.By(actor, CallContext.current().corrId()))));
        Sent _ = bell.trySend(true);
        return sent == Sent.ACCEPTED;
    }
}
