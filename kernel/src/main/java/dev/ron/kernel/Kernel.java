package dev.ron.kernel;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Dropped;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Crash;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.task.TaskBody;
import dev.ron.kernel.task.TaskKind;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.LockSpec;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.Part;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.QueueSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.kernel.topology.WatchSpec;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The live parts of one service: makes what its topology declares and nothing else, and stops it stage by stage. */
public final class Kernel {
    private final Topology topology;
    private final Clock clock;
    private final Meter meter;
    private final Supervisor supervisor;
    private final Set<String> made = ConcurrentHashMap.newKeySet();
    private final List<Mailbox<?>> mailboxes = new CopyOnWriteArrayList<>();
    private final List<HeldQueue> queues = new CopyOnWriteArrayList<>();
    private final List<Broadcast<?>> broadcasts = new CopyOnWriteArrayList<>();
    private final List<Lane> lanes = new CopyOnWriteArrayList<>();
    private final List<Permits> permits = new CopyOnWriteArrayList<>();

    public Kernel(Topology topology, Clock clock, Meter meter, Backoff.Policy restarts, Consumer<Crash> onCrash) {
        this.topology = topology;
        this.clock = clock;
        this.meter = meter;
        this.supervisor = new Supervisor(topology.service(), clock, meter, restarts, onCrash);
    }

    public <T> Mailbox<T> mailbox(MailboxSpec spec, Dropped<? super T> onDropped) {
        Mailbox<T> mailbox = new Mailbox<>(once(spec), meter, onDropped);
        mailboxes.add(mailbox);
        return mailbox;
    }

    /** Has a queue that the service keeps itself be seen like any other; the count is for what it drops. */
    public Meter.Count queue(QueueSpec spec, IntSupplier depth) {
        once(spec);
        queues.add(new HeldQueue(spec, depth));
        return meter.counter("queue_dropped_total", "queue", spec.name());
    }

    public <T> Broadcast<T> broadcast(BroadcastSpec spec) {
        Broadcast<T> broadcast = new Broadcast<>(once(spec), meter);
        broadcasts.add(broadcast);
        return broadcast;
    }

    public <T> Watch.Writer<T> watch(WatchSpec spec, T initial) {
        once(spec);
        return Watch.of(initial);
    }

    public <S> Guarded<S> guarded(LockSpec spec, S state) {
        return new Guarded<>(once(spec), state);
    }

    /** A bound whose limit is the configuration's; the topology states the default. */
    public Permits permits(PermitsSpec spec, int limit) {
        once(spec);
        Permits bound = new Permits(spec.name(), limit);
        permits.add(bound);
        return bound;
    }

    public Lane lane(LaneSpec spec) {
        Lane lane = new Lane(once(spec), supervisor, meter);
        lanes.add(lane);
        mailboxes.add(lane.jobs());
        return lane;
    }

    /** Starts a task of a declared kind; a kind may have many instances. */
    public Task spawn(TaskSpec spec, TaskBody body) {
        return kind(spec).spawn(body);
    }

    /** What starts tasks of a declared kind; keep it where many are started, one per request for instance. */
    public TaskKind kind(TaskSpec spec) {
        declared(spec);
        made.add(key(spec));
        return supervisor.kind(spec);
    }

    private <P extends Part> P once(P spec) {
        declared(spec);
        if (!made.add(key(spec))) {
            throw new IllegalStateException(topology.service() + ": " + spec.name() + " was made twice");
        }
        return spec;
    }

    private void declared(Part spec) {
        if (!topology.declares(spec)) {
            throw new IllegalStateException(
                    topology.service() + ": " + spec.name() + " is not declared in its topology");
        }
    }

    private static String key(Part spec) {
        return spec.getClass().getSimpleName() + ":" + spec.name();
    }

    /** What the topology declares and nobody has made; empty once a service is up. */
    public List<String> missing() {
        return topology.parts().stream()
                .filter(part -> !made.contains(key(part)))
                .map(Part::name)
                .toList();
    }

    /** Has the parts end in their stages of the process's shutdown. */
    public void attach(Shutdown shutdown) {
        for (Stage stage : Stage.values()) {
            shutdown.register(new StageOfKernel(stage));
        }
    }

    private final class StageOfKernel implements Drainable {
        private final Stage stage;

        StageOfKernel(Stage stage) {
            this.stage = stage;
        }

        @Override
        public String name() {
            return topology.service() + "/" + stage;
        }

        @Override
        public Stage stage() {
            return stage;
        }

        @Override
        public boolean drain(Deadline deadline) {
            // First, so that a receiver which ends because its box is closed ends as it was asked to.
            supervisor.stop(stage);
            for (Mailbox<?> mailbox : boxes()) {
                if (mailbox.spec().onDrain() == OnDrain.FINISH) {
                    mailbox.close();
                } else {
                    mailbox.drainAndAnswer();
                }
            }
            if (stage == Stage.PUBLISHERS) {
                broadcasts.forEach(Broadcast::close);
            }
            boolean ended = supervisor.join(stage, deadline);
            if (ended) {
                // Receivers that were waiting to be restarted have left work behind.
                boxes().forEach(Mailbox::drainAndAnswer);
            }
            return ended;
        }

        @Override
        public int abort() {
            boxes().forEach(Mailbox::drainAndAnswer);
            return supervisor.abort(stage);
        }

        @Override
        public int leaked() {
            return supervisor.leaked(stage);
        }

        private List<Mailbox<?>> boxes() {
            return mailboxes.stream()
                    .filter(mailbox -> mailbox.spec().stage() == stage)
                    .toList();
        }
    }

    public Topology topology() {
        return topology;
    }

    public Supervisor supervisor() {
        return supervisor;
    }

    public Clock clock() {
        return clock;
    }

    public Meter meter() {
        return meter;
    }

    public List<Mailbox<?>> mailboxes() {
        return List.copyOf(mailboxes);
    }

    public List<HeldQueue> queues() {
        return List.copyOf(queues);
    }

    public List<Broadcast<?>> broadcasts() {
        return List.copyOf(broadcasts);
    }

    public List<Permits> permits() {
        return List.copyOf(permits);
    }
}
