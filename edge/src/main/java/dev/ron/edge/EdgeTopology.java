package dev.ron.edge;

import static dev.ron.kernel.topology.Topology.broadcast;
import static dev.ron.kernel.topology.Topology.lane;
import static dev.ron.kernel.topology.Topology.mailbox;
import static dev.ron.kernel.topology.Topology.task;

import dev.ron.http.server.HostParts;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;

/** Tasks, queues and bounds of svc-edge; docs/design/topology/edge.md is generated from here. */
public final class EdgeTopology {
    /** The permits are taken by what is not answered from memory; hits need none. */
    static final HostParts HOST = HostParts.of("edge", 512);

    static final MailboxSpec WORK = mailbox("work", 512)
            .from("listener")
            .to("worker")
            .onFull(OnFull.REJECT_NEW)
            .onDrain(OnDrain.FINISH);
    static final BroadcastSpec EVENTS = broadcast("events", 1024).from("worker").to("event-log");

    /** On threads of their own: they write files and hash. */
    static final TaskSpec WORKER = task("worker")
            .critical(TaskSpec.Criticality.HIGH)
            .runner(TaskSpec.Runner.PLATFORM)
            .instances("min(4 x cores, 32)")
            .does("takes one fill at a time: fetches, checks, hands the object to the committer");

    static final TaskSpec FOLLOWER = task("pack-follower")
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.WATCHERS)
            .does("mounts what appears in packs_dir, swaps what is replaced, unmounts what is overwritten or gone");
    static final TaskSpec EVENT_LOG = task("event-log")
            .stage(Stage.OBSERVE)
            .does("writes what fills brought, and what they were refused, to the audit log");
    static final TaskSpec CONFIG_WATCHER =
            task("config-watcher").stage(Stage.WATCHERS).does("carries new limits into the parts that hold a copy");

    static final LaneSpec READ = lane("read", 2, 1024);
    static final LaneSpec CAS_COMMIT = lane("cas_commit", 1, 256).stage(Stage.WRITERS);
    static final LaneSpec VERIFY = lane("verify", 1, 16).stage(Stage.WATCHERS);
    /** Not that of the packs, which may look at one for minutes. */
    static final LaneSpec CAS_CHECK = lane("cas_check", 2, 64).stage(Stage.WATCHERS);

    static final LaneSpec NAMES = lane("edge-names", 2, 64);

    public static final Topology TOPOLOGY = Topology.of(
            "edge",
            "Assets and map tiles: hits are answered on the event loop, misses wait in a bounded queue for one fetch each.",
            HOST.request(),
            HOST.inflight(),
            HOST.decode(),
            WORK,
            EVENTS,
            WORKER,
            FOLLOWER,
            EVENT_LOG,
            CONFIG_WATCHER,
            READ,
            CAS_COMMIT,
            VERIFY,
            CAS_CHECK,
            NAMES);

    private EdgeTopology() {}
}
