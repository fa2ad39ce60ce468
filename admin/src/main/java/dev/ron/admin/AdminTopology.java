package dev.ron.admin;

import static dev.ron.kernel.topology.Topology.broadcast;
import static dev.ron.kernel.topology.Topology.lane;
import static dev.ron.kernel.topology.Topology.lock;
import static dev.ron.kernel.topology.Topology.mailbox;
import static dev.ron.kernel.topology.Topology.permits;
import static dev.ron.kernel.topology.Topology.task;
import static dev.ron.kernel.topology.Topology.watch;

import dev.ron.http.server.HostParts;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.LockSpec;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.kernel.topology.WatchSpec;
import dev.ron.service.keys.IssuerKeys;

/** Tasks, queues and locks of svc-admin; docs/design/topology/admin.md is generated from here. */
public final class AdminTopology {
    static final HostParts HOST = HostParts.of("admin", 512);

    static final MailboxSpec METRICS_CMD = mailbox("metrics_cmd", 256)
            .from("admin-request")
            .to("metrics_dispatch")
            .onFull(OnFull.REJECT_NEW)
            .stage(Stage.WATCHERS);
    static final WatchSpec RELOAD = watch("reload").from("config-reloader").to("config_watcher");
    static final MailboxSpec AUTH_REFRESH = mailbox("auth_refresh", 32)
            .from("admin-request, timer")
            .to("auth_refresher")
            .onFull(OnFull.REJECT_NEW)
            .stage(Stage.WATCHERS);
    static final BroadcastSpec EVENTS = broadcast("events", 1024)
            .from("metrics_sampler, audit, config_watcher")
            .to("event_hub");
    static final MailboxSpec AUDIT_IN = mailbox("audit_in", 64)
            .from("admin-request")
            .to("audit")
            .onFull(OnFull.REJECT_NEW)
            .onDrain(OnDrain.FINISH)
            .stage(Stage.WRITERS);

    static final TaskSpec SAMPLER = task("metrics_sampler")
            .instances("one per node")
            .stage(Stage.WATCHERS)
            .does("scrapes and probes one node and publishes what it learns");
    static final TaskSpec DISPATCH = task("metrics_dispatch")
            .stage(Stage.WATCHERS)
            .does("takes wishes for a fresh sample and wakes that sampler");
    static final TaskSpec CONFIG_WATCHER = task("config_watcher")
            .stage(Stage.WATCHERS)
            .does("the one writer of the fleet: starts and stops samplers when the configuration changes");
    static final TaskSpec AUTH_REFRESHER = task("auth_refresher")
            .stage(Stage.WATCHERS)
            .does("the one writer of the issuer's keys; idle unless the mode is passport");
    static final TaskSpec FOLLOWER =
            IssuerKeys.TASK.critical(TaskSpec.Criticality.MEDIUM).stage(Stage.WATCHERS);
    static final TaskSpec EVENT_HUB =
            task("event_hub").stage(Stage.WATCHERS).does("gathers changes and sends them to browsers once a second");
    static final TaskSpec STREAM = task("admin-stream")
            .restart(TaskSpec.Restart.NEVER)
            .instances("one per stream that opens")
            .does("finds out who asks for a stream of events, off the event loop");
    static final TaskSpec AUDIT = task("audit")
            .critical(TaskSpec.Criticality.HIGH)
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.WRITERS)
            .does("the one writer of the audit log: a line is on disk before its action is called");

    static final PermitsSpec SCRAPES = permits("scrapes", 64).of("nodes asked at once");
    static final PermitsSpec STREAMS = permits("streams", 256).of("streams of events");
    static final LaneSpec NAMES = lane("names", 2, 256);

    /** The order of the seed: configuration, keys, metrics, what lives for one request. */
    static final LockSpec CONFIG_LOCK = lock("config_lock", 1).owner("config_watcher");

    static final LockSpec AUTH_LOCK = lock("auth_state_lock", 2).owner("auth_refresher");
    static final LockSpec METRICS_LOCK = lock("metrics_lock", 3).owner("metrics_sampler");
    static final LockSpec EPHEMERAL_LOCK = lock("ephemeral_state", 4).owner("admin-request");

    public static final Topology TOPOLOGY = Topology.of(
            "admin",
            "The console: one sampler per node writes that node's ring, everybody else reads snapshots; nothing is asked of"
                    + " a node or an issuer while a lock is held.",
            HOST.request(),
            HOST.inflight(),
            HOST.decode(),
            METRICS_CMD,
            RELOAD,
            AUTH_REFRESH,
            EVENTS,
            AUDIT_IN,
            SAMPLER,
            DISPATCH,
            CONFIG_WATCHER,
            AUTH_REFRESHER,
            FOLLOWER,
            EVENT_HUB,
            STREAM,
            AUDIT,
            SCRAPES,
            STREAMS,
            NAMES,
            CONFIG_LOCK,
            AUTH_LOCK,
            METRICS_LOCK,
            EPHEMERAL_LOCK);

    private AdminTopology() {}
}
