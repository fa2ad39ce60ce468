package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Discipline;
import dev.ron.gateway.arbiter.drr.Drr;
import dev.ron.gateway.arbiter.drr.Shares;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An arbiter on one hand-cranked loop with a clock of its own. */
final class Bench implements ArbiterWatch {
    final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    final Executor loop = tasks::add;
    final List<Throwable> restarts = new ArrayList<>();
    final List<RuntimeException> callerFailures = new ArrayList<>();
    final Arbiter arbiter;
    boolean fifo;
    int shed;
    long now = 1_000_000_000L;

    Bench(ArbiterSettings settings) {
        this(settings, Drr::new);
    }

    Bench(ArbiterSettings settings, Function<Shares, Discipline> fair) {
        arbiter = new Arbiter(settings, loop, this, fair);
    }

    static Bench limit(int limit) {
        return new Bench(ArbiterSettings.of(limit));
    }

    static TenantKey tenant(String id) {
        return new TenantKey("issuer", id);
    }

    record Asked(Job job, Recorder heard) {}

    Asked ask(String tenant) {
        return ask(Job.of(tenant(tenant), now));
    }

    Asked ask(Job.Builder job) {
        Recorder heard = new Recorder();
        Asked asked = new Asked(job.on(loop, heard), heard);
        arbiter.arrive(asked.job(), now);
        return asked;
    }

    List<Recorder> ask(String tenant, int times) {
        List<Recorder> heard = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            heard.add(ask(tenant).heard());
        }
        return heard;
    }

    /** Runs the loop until it has nothing left. */
    void turn() {
        @Nullable Runnable task;
        while ((task = tasks.poll()) != null) {
            task.run();
        }
    }

    void release(Recorder heard) {
        heard.held().release(now);
        turn();
    }

    /** Lets time pass in ticks of ten milliseconds. */
    void pass(Duration time) {
        long end = now + time.toNanos();
        while (now < end) {
            now = Math.min(end, now + 10_000_000);
            arbiter.tick(now);
            turn();
        }
    }

    ArbiterView view() {
        return arbiter.view(now);
    }

    TenantView view(String tenant) {
        return view().tenants().stream()
                .filter(t -> t.key().equals(tenant(tenant)))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void restarted(Throwable cause, int howMany) {
        restarts.add(cause);
        shed += howMany;
    }

    @Override
    public void fellBackToFifo() {
        fifo = true;
    }

    @Override
    public void callerFailed(RuntimeException failure) {
        callerFailures.add(failure);
    }
}
