package dev.ron.passport.api;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import java.time.Duration;

/** Hands a question to a bounded queue and waits for its answer; a full queue is a 429 at once. */
public final class Counter<Q, R> {
    private final Mailbox<Ask<Q, R>> queue;
    private final Meter.Count busy;
    private final Meter.Count dropped;

    public Counter(Mailbox<Ask<Q, R>> queue, String endpoint, Meter meter) {
        this.queue = queue;
        this.busy = meter.counter("busy_rejections_total", "endpoint", endpoint);
        this.dropped =
                meter.counter("queue_dropped_total", "queue", queue.spec().name());
    }

    public R ask(Q question) {
        Ask<Q, R> ask = Ask.of(question);
        switch (queue.trySend(ask)) {
            case ACCEPTED -> {}
            case FULL -> {
                busy.increment();
                dropped.increment();
                throw new RonException(
                        Code.BUSY,
                        "busy",
                        "queue " + queue.spec().name() + " is full ("
                                + queue.spec().capacity() + ")",
                        Duration.ofSeconds(1),
                        null);
            }
            case CLOSED -> throw new RonException(Code.DRAINING, "draining", "the service is stopping");
        }
        return ask.reply().await(CallContext.current().deadline());
    }
}
