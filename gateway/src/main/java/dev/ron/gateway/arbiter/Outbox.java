package dev.ron.gateway.arbiter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers found by a scheduler's run, told when it no longer leads: no code of others runs inside the scheduler.
 *
 * <p>The job that just arrived is told here; every other by its own loop, which sees to it that a caller which gives its
 * slot back at once cannot build a tower of calls.
 */
final class Outbox {
    private @Nullable Job first;
    private @Nullable Job last;
    private final List<Consumer<ArbiterWatch>> notices = new ArrayList<>(0);

    void add(Job job) {
        job.nextInLine = null;
        if (last == null) {
            first = job;
        } else {
            last.nextInLine = job;
        }
        last = job;
    }

    void notice(Consumer<ArbiterWatch> notice) {
        notices.add(notice);
    }

    /** Tells all; {@code arrived} is the job whose caller is on this very stack. */
    void deliver(@Nullable Job arrived, ArbiterWatch watch) {
        Job job = first;
        while (job != null) {
            Job next = job.nextInLine;
            job.nextInLine = null;
            if (job == arrived) {
                tell(job, watch);
            } else {
                post(job, watch);
            }
            job = next;
        }
        notices.forEach(notice -> notice.accept(watch));
    }

    private static void post(Job job, ArbiterWatch watch) {
        try {
            job.loop().execute(() -> tell(job, watch));
        } catch (RejectedExecutionException e) {
            giveBack(job);
            try {
                job.tellLost();
            } catch (RuntimeException failure) {
                watch.callerFailed(failure);
            }
        }
    }

    /** A caller that fails on its answer does not keep the slot. */
    static void tell(Job job, ArbiterWatch watch) {
        try {
            job.tell();
        } catch (RuntimeException e) {
            giveBack(job);
            watch.callerFailed(e);
        }
    }

    private static void giveBack(Job job) {
        Slot slot = job.slot();
        if (slot != null) {
            slot.abandon();
        }
    }
}
