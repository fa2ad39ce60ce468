package dev.ron.bench;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.task.TaskKind;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The kernel's small operations, one thread: what every request pays. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OpsBench {
    private static final int TASKS = 1_000;

    private final Mailbox<Integer> full = new Mailbox<>(Topology.mailbox("full", 1));
    private final Mailbox<Integer> box = new Mailbox<>(Topology.mailbox("box", 512));
    private final Guarded<int[]> guarded = new Guarded<>(Topology.lock("state", 1), new int[1]);
    private final Watch<Integer> watch = Watch.of(1).watch();
    private final TaskKind requests = new Supervisor(
                    "bench", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, crash -> {})
            .kind(Topology.task("request").restart(TaskSpec.Restart.NEVER).instances("one per request"));

    public OpsBench() {
        full.trySend(1);
    }

    @Benchmark
    public Sent trySendFull() {
        return full.trySend(1);
    }

    @Benchmark
    public Object sendAndTake() {
        box.trySend(1);
        return box.tryReceive();
    }

    @Benchmark
    public void blockingEnter() {
        Blocking.enter("bench");
    }

    @Benchmark
    public int guardedWith() {
        return guarded.with(state -> state[0]++);
    }

    @Benchmark
    public Watch.Versioned<Integer> watchCurrent() {
        return watch.current();
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void spawnBare() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(TASKS);
        for (int i = 0; i < TASKS; i++) {
            Thread.startVirtualThread(done::countDown);
        }
        done.await();
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void spawnSupervised() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(TASKS);
        for (int i = 0; i < TASKS; i++) {
            requests.spawn(scope -> done.countDown());
        }
        done.await();
    }
}
