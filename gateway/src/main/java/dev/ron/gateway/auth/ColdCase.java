package dev.ron.gateway.auth;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** One request that waits for the check of its token. */
public final class ColdCase {
    private final Object source;
    private final Executor loop;
    private final Consumer<Verdict> answer;
    private Verdict.Cold step;

    /** @param answer hears the verdict on {@code loop} */
    ColdCase(Verdict.Cold step, Object source, Executor loop, Consumer<Verdict> answer) {
        this.step = step;
        this.source = source;
        this.loop = loop;
        this.answer = answer;
    }

    Verdict.Cold step() {
        return step;
    }

    void step(Verdict.Cold next) {
        step = next;
    }

    Object source() {
        return source;
    }

    void answer(Verdict verdict) {
        try {
            loop.execute(() -> answer.accept(verdict));
        } catch (RejectedExecutionException _) {
            // The loop has ended, and its connections with it.
        }
    }

    /** Nobody will check it any more. */
    public void drained() {
        answer(new Verdict.Denied(new RonException(Code.DRAINING, "draining", "the service is stopping")));
    }
}
