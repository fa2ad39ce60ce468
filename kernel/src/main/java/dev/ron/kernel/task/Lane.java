package dev.ron.kernel.task;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.channel.Dropped;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A bounded pool of platform threads for file I/O, hashing and signing: what would stall an event loop or a carrier. */
public final class Lane implements AutoCloseable {
    private final LaneSpec spec;
    private final Mailbox<Ask<Callable<?>, Object>> jobs;
    private final List<Task> workers = new ArrayList<>();

    public Lane(LaneSpec spec, Supervisor supervisor, Meter meter) {
        this.spec = spec;
        this.jobs = new Mailbox<>(
                Topology.mailbox(spec.name(), spec.capacity())
                        .stage(spec.stage())
                        .onDrain(OnDrain.FINISH),
                meter,
                Lane::answered);
        TaskSpec worker = Topology.task(spec.name())
                .runner(TaskSpec.Runner.PLATFORM)
                .stage(spec.stage())
                .instances("pool");
        for (int i = 0; i < spec.threads(); i++) {
            workers.add(supervisor.spawn(worker, this::work));
        }
    }

    private static void answered(Ask<Callable<?>, Object> job, Dropped.Cause cause) {
        // The kernel has answered the question already; nothing else hangs on it.
    }

    private void work(TaskScope scope) {
        while (true) {
            var next = jobs.receive(Deadline.never(scope.clock()));
            if (next.isEmpty()) {
                return;
            }
            try {
                next.get().handle(job -> job.reply().complete(job.question().call()));
            } catch (Throwable failure) {
                // Delivery has answered the question with it: the failure is the caller's, not the lane's.
                if (failure instanceof VirtualMachineError broken && !(broken instanceof StackOverflowError)) {
                    throw broken;
                }
            }
            // An interrupt that a job has left behind is not meant for the next one.
            Thread.interrupted();
        }
    }

    /** Runs a job and waits for it. */
    public <R> R call(Deadline deadline, Callable<R> job) {
        CallContext context = CallContext.current().withDeadline(deadline);
        Reply<R> reply = new Reply<>();
        context.run(() -> submitTo(job, reply));
        return reply.await(context.deadline());
    }

    /** Starts a job without waiting; the reply's listener runs on the lane's thread. */
    public <R> Reply<R> submit(Callable<R> job) {
        Reply<R> reply = new Reply<>();
        submitTo(job, reply);
        return reply;
    }

    @SuppressWarnings("unchecked")
    private <R> void submitTo(Callable<R> job, Reply<R> reply) {
        Sent sent = jobs.trySend(new Ask<>(job, (Reply<Object>) reply));
        switch (sent) {
            case ACCEPTED -> {}
            case FULL ->
                reply.fail(new RonException(
                        Code.BUSY, "busy", "lane " + spec.name() + " is full", Duration.ofSeconds(1), null));
            case CLOSED -> reply.fail(new RonException(Code.DRAINING, "draining", "the service is stopping"));
        }
    }

    public Mailbox<?> jobs() {
        return jobs;
    }

    public LaneSpec spec() {
        return spec;
    }

    /** Takes no more jobs; what was accepted is still done. */
    @Override
    public void close() {
        workers.forEach(Task::stop);
        jobs.close();
    }
}
