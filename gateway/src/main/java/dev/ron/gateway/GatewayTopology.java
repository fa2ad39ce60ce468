package dev.ron.gateway;

import static dev.ron.kernel.topology.Topology.lane;
import static dev.ron.kernel.topology.Topology.task;

import dev.ron.http.server.HostParts;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;

/** Tasks and bounds of svc-gateway; docs/design/topology/gateway.md is generated from here. */
public final class GatewayTopology {
    static final HostParts HOST = HostParts.of("gateway", 512);
    static final TaskSpec PROBE = task("probe")
            .critical(TaskSpec.Criticality.MEDIUM)
            .stage(Stage.WATCHERS)
            .instances("one per upstream")
            .does("looks up the addresses of an upstream's targets and asks whether they are well");
    static final LaneSpec NAMES = lane("gateway-names", 2, 64);

    public static final Topology TOPOLOGY = Topology.of(
            "gateway",
            "The front door: requests come in, and go on to an upstream wholly on their event loop.",
            HOST.request(),
            HOST.inflight(),
            HOST.decode(),
            NAMES,
            PROBE);

    private GatewayTopology() {}
}
