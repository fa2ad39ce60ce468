package dev.ron.node.demo;

import static dev.ron.kernel.topology.Topology.permits;
import static dev.ron.kernel.topology.Topology.task;

import dev.ron.http.server.HostParts;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.keys.IssuerKeys;

/** Tasks and bounds of the demo application; docs/design/topology/demo.md is generated from here. */
public final class DemoTopology {
    static final HostParts HOST = HostParts.of("demo", 512);
    static final PermitsSpec SLOW = permits("slow", 8).of("calls of /slow at once; the rest wait under their deadline");
    static final TaskSpec TICKER = task("ticker")
            .critical(TaskSpec.Criticality.SUPPORTING)
            .stage(Stage.WATCHERS)
            .does("publishes one event a second to the readers of /sse");

    public static final Topology TOPOLOGY = Topology.of(
            "demo",
            "The demo application: something to put a gateway in front of, behind the same host as every service.",
            HOST.request(),
            HOST.inflight(),
            HOST.decode(),
            SLOW,
            TICKER,
            IssuerKeys.TASK);

    private DemoTopology() {}
}
