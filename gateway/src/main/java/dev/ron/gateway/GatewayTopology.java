package dev.ron.gateway;

import static dev.ron.kernel.topology.Topology.broadcast;
import static dev.ron.kernel.topology.Topology.lane;
import static dev.ron.kernel.topology.Topology.mailbox;
import static dev.ron.kernel.topology.Topology.queue;
import static dev.ron.kernel.topology.Topology.task;

import dev.ron.gateway.upstream.Yard;
import dev.ron.http.server.HostParts;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.QueueSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.keys.IssuerKeys;

/** Tasks, queues and bounds of svc-gateway; docs/design/topology/gateway.md is generated from here. */
public final class GatewayTopology {
    static final HostParts HOST = HostParts.of("gateway", 512);

    static final QueueSpec WORK = queue("work", Yard.SEATS)
            .from("event loops")
            .to("drr-scheduler")
            .whenFull("per upstream: the longest queue gives way to a shorter one, else the newcomer is answered 429");
    static final QueueSpec SCHED = queue("sched", 512)
            .from("drr-scheduler")
            .to("worker")
            .whenFull("drop the oldest; unreachable, since no more is granted than the upstreams take");
    static final TaskSpec SCHEDULER = task("drr-scheduler")
            .critical(TaskSpec.Criticality.HIGH)
            .stage(Stage.WATCHERS)
            .does("moves the clocks of the arbiters; who waits is served by whichever thread brings news");
    static final TaskSpec WORKER = task("worker")
            .critical(TaskSpec.Criticality.HIGH)
            .stage(Stage.WORK)
            .instances("one per event loop")
            .does("hands granted slots to the requests of its event loop");

    static final MailboxSpec COLD =
            mailbox("cold", 512).from("event loops").to("verifier").stage(Stage.WORK);
    static final TaskSpec VERIFIER = task("verifier")
            .critical(TaskSpec.Criticality.HIGH)
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.WORK)
            .does("checks signatures not seen before, in turn between tenants");

    static final MailboxSpec METRICS_TICK =
            mailbox("metrics_tick", 64).from("sampler").to("prober").stage(Stage.WATCHERS);
    static final TaskSpec SAMPLER = task("sampler")
            .critical(TaskSpec.Criticality.MEDIUM)
            .stage(Stage.WATCHERS)
            .does("once a second: looks for trouble, cuts revoked streams, forgets who is gone");
    static final TaskSpec PROBER = task("prober")
            .critical(TaskSpec.Criticality.SUPPORTING)
            .stage(Stage.WATCHERS)
            .does("publishes what the sampler found to metrics and readiness");
    static final BroadcastSpec EVENTS =
            broadcast("events", 1024).from("arbiters, sampler").to("event-log");
    static final TaskSpec EVENT_LOG = task("event-log")
            .critical(TaskSpec.Criticality.SUPPORTING)
            .stage(Stage.WATCHERS)
            .does("writes down what an operator should know");

    static final TaskSpec PROBE = task("probe")
            .critical(TaskSpec.Criticality.MEDIUM)
            .stage(Stage.WATCHERS)
            .instances("one per upstream")
            .does("looks up the addresses of an upstream's targets and asks whether they are well");
    static final LaneSpec NAMES = lane("gateway-names", 2, 64);
    static final LaneSpec CODING = lane("gateway-coding", 2, 256);

    public static final Topology TOPOLOGY = Topology.of(
            "gateway",
            "The front door: requests come in, wait their turn where the bottleneck is, and go on to an upstream wholly"
                    + " on their event loop.",
            HOST.request(),
            HOST.decode(),
            WORK,
            SCHED,
            SCHEDULER,
            WORKER,
            COLD,
            VERIFIER,
            METRICS_TICK,
            SAMPLER,
            PROBER,
            EVENTS,
            EVENT_LOG,
            NAMES,
            CODING,
            PROBE,
            IssuerKeys.TASK);

    private GatewayTopology() {}
}
