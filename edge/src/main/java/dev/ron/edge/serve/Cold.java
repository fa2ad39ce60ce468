package dev.ron.edge.serve;

import dev.ron.http.server.Exchange;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Lane;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The way of a request that cannot be answered from memory: a permit, a step on the pool, and back to its loop. */
public final class Cold {
    private final Lane lane;
    private final Permits inflight;

    public Cold(Lane lane, Permits inflight) {
        this.lane = lane;
        this.inflight = inflight;
    }

    Permits inflight() {
        return inflight;
    }

    /**
     * Runs the step on the pool and the rest on the loop; {@code abandoned} gets the result where nobody is left to
     * answer. The permit is given back once the step is over: from then on the answer needs no more than a hit.
     */
    <R> void run(Exchange exchange, Callable<R> step, Consumer<R> then, Consumer<R> abandoned) {
        runOr(exchange, () -> false, step, then, abandoned);
    }

    /** The same; where there is no permit {@code instead} is tried, and says whether it has answered. */
    <R> void runOr(
            Exchange exchange, BooleanSupplier instead, Callable<R> step, Consumer<R> then, Consumer<R> abandoned) {
        if (!inflight.tryAcquire()) {
            if (!instead.getAsBoolean()) {
                exchange.fail(new RonException(
                        Code.BUSY,
                        "busy",
                        "too many requests wait for files; edge.ingress.max_inflight bounds them",
                        Duration.ofSeconds(1),
                        null));
            }
            return;
        }
        Reply<R> reply = submit(exchange, step);
        reply.whenAnswered(outcome -> {
            inflight.release();
            try {
                exchange.loop().execute(() -> settle(exchange, outcome, then, abandoned));
            } catch (RejectedExecutionException _) {
                if (outcome instanceof Reply.Done<R>(R value)) {
                    abandoned.accept(value); // the connection has ended with its loop
                }
            }
        });
    }

    /**
     * A hold on a file that ends on the pool, if that takes it: the last descriptor of a file that lost its name frees
     * its blocks, and an event loop would stand still for as long as that takes.
     *
     * @param file may be closed twice
     */
    AutoCloseable closing(AutoCloseable file) {
        return () -> {
            Reply<Boolean> reply = lane.submit(() -> close(file));
            reply.whenAnswered(outcome -> {
                if (outcome instanceof Reply.Failed<Boolean>) {
                    close(file);
                }
            });
        };
    }

    private static boolean close(AutoCloseable file) {
        try {
            file.close();
            return true;
        } catch (Exception e) {
            throw new IllegalStateException("closing a file that was served", e);
        }
    }

    private <R> Reply<R> submit(Exchange exchange, Callable<R> step) {
        try {
            // Under the request's context, so that what nobody waits for any more is not read.
            return exchange.context().call(() -> lane.submit(step));
        } catch (Exception e) {
            throw new IllegalStateException(e); // submit refuses through the reply
        }
    }

    private static <R> void settle(
            Exchange exchange, Reply.Outcome<R> outcome, Consumer<R> then, Consumer<R> abandoned) {
        switch (outcome) {
            case Reply.Done<R>(R value) -> {
                if (exchange.over() || exchange.answered()) {
                    abandoned.accept(value);
                } else {
                    answer(exchange, value, then);
                }
            }
            case Reply.Failed<R>(RonException failure) -> exchange.fail(failure);
        }
    }

    /** Nobody above us on the loop would answer for a refusal. */
    private static <R> void answer(Exchange exchange, R value, Consumer<R> then) {
        try {
            then.accept(value);
        } catch (RonException refusal) {
            exchange.fail(refusal);
        }
    }
}
