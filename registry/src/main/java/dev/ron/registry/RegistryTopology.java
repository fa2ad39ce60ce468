package dev.ron.registry;

import static dev.ron.kernel.topology.Topology.broadcast;
import static dev.ron.kernel.topology.Topology.lane;
import static dev.ron.kernel.topology.Topology.mailbox;
import static dev.ron.kernel.topology.Topology.permits;
import static dev.ron.kernel.topology.Topology.task;
import static dev.ron.kernel.topology.Topology.watch;

import dev.ron.http.server.HostParts;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.kernel.topology.WatchSpec;
import dev.ron.service.keys.IssuerKeys;

/** Tasks, queues and bounds of svc-registry; docs/design/topology/registry.md is generated from here. */
public final class RegistryTopology {
    public static final int COMMITTED = 1024;

    private static final int MAX_POOL = 8;

    static final HostParts HOST = HostParts.of("registry", 512);

    static final MailboxSpec PROPOSALS = toCommitter("proposals", 512);
    static final MailboxSpec APPROVALS = toCommitter("approvals", 512);
    static final MailboxSpec COMMITS = toCommitter("commits", 512);
    static final MailboxSpec CTL = toCommitter("ctl", 64);
    static final MailboxSpec BELL = toCommitter("bell", 1);
    static final MailboxSpec RETENTION_CMD = mailbox("retention_cmd", 8)
            .from("checkpointer")
            .to("retention")
            .onFull(OnFull.REJECT_NEW)
            .stage(Stage.WATCHERS);

    static final WatchSpec HEADS = watch("heads").from("committer").to("registry-request, checkpointer");

    static final TaskSpec COMMITTER = task("committer")
            .critical(TaskSpec.Criticality.CRITICAL)
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.WRITERS)
            .does("the one writer: takes what waits, makes it one batch with one sync, then shows, answers and tells");
    static final TaskSpec PUBLISHER = task("publisher")
            .critical(TaskSpec.Criticality.HIGH)
            .stage(Stage.PUBLISHERS)
            .does("tells the other services of each commit");
    static final TaskSpec STREAM_HUB = task("stream-hub")
            .stage(Stage.PUBLISHERS)
            .does("carries commits and heartbeats to the readers of the stream");
    static final TaskSpec CHECKPOINTER = task("checkpointer")
            .critical(TaskSpec.Criticality.HIGH)
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.PUBLISHERS)
            .does("signs the head, keeps its witness, and writes checkpoints, tiles and snapshots now and then");
    static final TaskSpec RETENTION = task("retention")
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.WATCHERS)
            .does("prunes payloads that a signed checkpoint covers, one file at a time");
    static final TaskSpec DEEP_VERIFIER = task("deep-verifier")
            .critical(TaskSpec.Criticality.SUPPORTING)
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.WATCHERS)
            .does("checks the log again, signatures included, a little in each second");

    static final PermitsSpec STREAM_CLIENTS = permits("stream-clients", 8192).of("readers of the stream");
    static final int MAX_HEAD_WAITERS = 128;
    static final PermitsSpec HEAD_WAITERS =
            permits("head-waiters", MAX_HEAD_WAITERS).of("callers that wait for the head to move");

    private RegistryTopology() {}

    private static MailboxSpec toCommitter(String name, int capacity) {
        return mailbox(name, capacity)
                .from("registry-request")
                .to("committer")
                .onFull(OnFull.REJECT_NEW)
                .onDrain(OnDrain.FINISH)
                .stage(Stage.WRITERS);
    }

    static BroadcastSpec committed(int capacity) {
        return broadcast("committed", capacity).from("committer").to("publisher, stream-hub");
    }

    /** Threads that verify signatures: one per core, at most eight. */
    public static int poolSize() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_POOL);
    }

    static LaneSpec verify(int threads) {
        return lane("verify_work", threads, 512);
    }

    static LaneSpec files() {
        return lane("registry-files", 2, 256);
    }

    /** The topology with this many verifying threads and places in the ring of commits. */
    public static Topology of(int threads, int channelBound) {
        return Topology.of(
                "registry",
                "The registry: proposals, approvals and commits wait in bounded queues, one writer makes them durable,"
                        + " and everything else reads what is.",
                HOST.request(),
                HOST.inflight(),
                HOST.decode(),
                PROPOSALS,
                APPROVALS,
                COMMITS,
                CTL,
                BELL,
                committed(channelBound),
                HEADS,
                RETENTION_CMD,
                COMMITTER,
                PUBLISHER,
                STREAM_HUB,
                CHECKPOINTER,
                RETENTION,
                DEEP_VERIFIER,
                IssuerKeys.TASK,
                STREAM_CLIENTS,
                HEAD_WAITERS,
                verify(threads),
                files());
    }
}
