package dev.ron.http.server;

import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.Part;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import java.util.List;

/** What a host adds to the topology of its service; the names start with the host's. */
public record HostParts(String name, TaskSpec request, PermitsSpec inflight, LaneSpec decode) {

    private static final int DECODE_QUEUE = 64;

    public static HostParts of(String name, int inflight) {
        return new HostParts(
                name,
                Topology.task(name + "-request")
                        .restart(TaskSpec.Restart.NEVER)
                        .stage(Stage.WORK)
                        .instances("one per request")
                        .does("runs a blocking handler"),
                Topology.permits(name + "-inflight", inflight).of("requests in hand"),
                Topology.lane(name + "-decode", 1, DECODE_QUEUE));
    }

    /** The same parts, ending in another stage: for a listener that outlives the services. */
    public HostParts stage(Stage when) {
        return new HostParts(name, request.stage(when), inflight, decode.stage(when));
    }

    public List<Part> parts() {
        return List.of(request, inflight, decode);
    }
}
