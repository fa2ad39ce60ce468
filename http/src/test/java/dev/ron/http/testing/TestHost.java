package dev.ron.http.testing;

import dev.ron.http.guard.InflightGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.DrainGrace;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Part;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A real host on a free port with its own loops, for one test. */
public final class TestHost implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Counted counted = new Counted();
    private final EventLoops loops;
    private final Kernel kernel;
    private final HttpHost host;

    private TestHost(HostConfig config, Clock clock, Consumer<Routes> routes, UnaryOperator<HttpHost.Builder> more) {
        HostParts parts = HostParts.of("http", 512);
        List<Part> all = new ArrayList<>(parts.parts());
        all.addAll(HostParts.of("second", 512).parts());
        Topology topology = new Topology("test", "a host under test", all);
        kernel = new Kernel(topology, clock, counted, Backoff.Policy.DEFAULT, crash -> {});
        loops = new EventLoops("test", 2, EventLoops.Transport.best(), clock);
        Routes table = new Routes(config, new InflightGuard(kernel.permits(parts.inflight(), 512)));
        routes.accept(table);
        HttpHost.Builder builder =
                HttpHost.builder(kernel, loops, parts).config(config).drainGrace(DrainGrace.NONE);
        host = more.apply(builder).bind("127.0.0.1", 0, table.build());
    }

    public static TestHost with(Consumer<Routes> routes) {
        return with(HostConfig.DEFAULTS, routes);
    }

    public static TestHost with(HostConfig config, Consumer<Routes> routes) {
        return new TestHost(config, Clock.system(), routes, builder -> builder);
    }

    public static TestHost with(
            HostConfig config, Clock clock, Consumer<Routes> routes, UnaryOperator<HttpHost.Builder> more) {
        return new TestHost(config, clock, routes, more);
    }

    public HttpHost host() {
        return host;
    }

    public int port() {
        return host.port();
    }

    public RawClient client() {
        return new RawClient(host.port());
    }

    public Counted counted() {
        return counted;
    }

    public Kernel kernel() {
        return kernel;
    }

    public EventLoops loops() {
        return loops;
    }

    public static void await(BooleanSupplier condition) {
        Eventually.await(condition);
    }

    @Override
    public void close() {
        host.close();
        Shutdown shutdown = new Shutdown(Clock.system(), counted, () -> PATIENCE);
        kernel.attach(shutdown);
        shutdown.request("test", "over");
        shutdown.awaitStopped(Deadline.after(Clock.system(), PATIENCE));
        loops.close();
    }
}
