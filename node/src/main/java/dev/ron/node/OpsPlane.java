package dev.ron.node;

import dev.ron.http.guard.InflightGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import dev.ron.node.data.OperatorToken;
import dev.ron.service.health.Need;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameStatus;
import dev.ron.service.ops.OperatorGuard;
import dev.ron.service.ops.OpsRoutes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The listener for operators and their tools: health, metrics, status, and the few actions.
 *
 * <p>It has a loop and a cap of its own, so that it answers while the services are loaded, and it is the last to stop.
 */
final class OpsPlane {
    private static final int CAP = 64;
    private static final HostParts HOST = HostParts.of("ops", CAP).stage(Stage.OBSERVE);

    static final Topology TOPOLOGY = Topology.of(
            "ops",
            "The ops plane: its own listener on its own event loop, so that probes answer under any load.",
            HOST.request(),
            HOST.inflight(),
            HOST.decode());

    private final Frame frame;
    private final Kernel kernel;
    private final EventLoops loop;
    private final HttpHost host;
    private final String address;
    private final Routes routes;

    /** Opens the listener; it answers from here on, not ready until the services are. */
    OpsPlane(
            Frame frame,
            OperatorToken operator,
            String bind,
            int port,
            Supplier<Map<String, String>> listeners,
            BiConsumer<Routes, OperatorGuard> actions) {
        this.frame = frame;
        this.loop = new EventLoops("ops", 1, EventLoops.Transport.best(), frame.clock());
        this.kernel = new Kernel(TOPOLOGY, frame.clock(), frame.ownMetrics(), Backoff.Policy.DEFAULT, crash -> {});
        HostConfig limits = HostConfig.DEFAULTS.withConns(256, 256);
        this.routes = new Routes(limits, new InflightGuard(kernel.permits(HOST.inflight(), CAP)));
        OperatorGuard guard = new OperatorGuard(Set.of(), operator::matches);
        new OpsRoutes(frame, new FrameStatus(frame, this::addresses, listeners), guard).addTo(routes);
        actions.accept(routes, guard);
        this.host = bindOrEnd(routes, limits, bind, port);
        this.address = bind + ":" + host.port();
        frame.readiness().require("metrics_bound", Need.READ).met();
        frame.watch(loop);
        frame.shutdown().register(new Last());
    }

    private HttpHost bindOrEnd(Routes routes, HostConfig limits, String bind, int port) {
        try {
            return HttpHost.builder(kernel, loop, HOST).config(limits).bind(bind, port, routes.build());
        } catch (RuntimeException e) {
            loop.close();
            throw e;
        }
    }

    private Map<String, String> addresses() {
        return Map.of("metrics_addr", address);
    }

    List<String> routes() {
        return routes.listed();
    }

    int port() {
        return host.port();
    }

    /** Ends the listener, then its loop. */
    private final class Last implements Drainable {
        // Whoever watches a shutdown gets its answer even when the process's deadline is used up.
        private static final Duration LEAST = Duration.ofMillis(500);

        @Override
        public String name() {
            return "ops";
        }

        @Override
        public Stage stage() {
            return Stage.OBSERVE;
        }

        @Override
        public boolean drain(Deadline deadline) {
            Deadline atLeast = Deadline.after(frame.clock(), LEAST);
            Deadline limit = deadline.atNanos() > atLeast.atNanos() ? deadline : atLeast;
            host.stop(limit);
            return loop.stop(limit);
        }

        @Override
        public int abort() {
            loop.stop(Deadline.after(frame.clock(), Duration.ZERO));
            return 0;
        }
    }
}
