package dev.ron.service.lifecycle;

import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.kernel.topology.WatchSpec;
import dev.ron.service.bus.Bus;
import dev.ron.service.log.Logs;
import dev.ron.service.reload.Reloader;
import dev.ron.service.trace.SpanExporter;
import dev.ron.service.trace.Tracer;

/** Tasks and channels that every process has once; docs/design/topology/node.md is generated from here. */
public final class FrameTopology {
    public static final String SERVICE = "node";

    static final WatchSpec CONFIG =
            Topology.watch("config").from("config-reloader").to("every service");
    static final TaskSpec HEALTH = Topology.task("health")
            .critical(TaskSpec.Criticality.HIGH)
            .stage(Stage.OBSERVE)
            .does("beats for /healthz and samples readiness once a second");

    public static final Topology TOPOLOGY = Topology.of(
            SERVICE,
            "What every process has once: log, configuration, bus, spans and the heartbeat.",
            Logs.QUEUE,
            Reloader.QUEUE,
            Tracer.QUEUE,
            Bus.SPEC,
            CONFIG,
            Logs.WRITER,
            Reloader.TASK,
            SpanExporter.TASK,
            HEALTH);

    private FrameTopology() {}
}
