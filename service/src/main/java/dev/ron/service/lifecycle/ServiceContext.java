package dev.ron.service.lifecycle;

import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.service.bus.Bus;
import dev.ron.service.config.Config;
import dev.ron.service.health.Probes;
import dev.ron.service.health.Readiness;
import dev.ron.service.metrics.ServiceMetrics;
import dev.ron.service.reload.ConfigSubscriber;
import dev.ron.service.reload.Reloader;
import dev.ron.service.trace.Tracer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Everything a service is given; all of it is its own, except what the process has once: bus, shutdown, configuration. */
public final class ServiceContext {
    private final Kernel kernel;
    private final ServiceMetrics metrics;
    private final Readiness readiness;
    private final Shared process;
    private volatile Optional<Routes> added = Optional.empty();
    private final Map<String, String> addresses = new ConcurrentHashMap<>();

    /** What all services of a process share. */
    record Shared(
            Watch<Config> config,
            Reloader reloader,
            Bus bus,
            Tracer tracer,
            Shutdown shutdown,
            Function<String, Probes> probes) {}

    ServiceContext(Kernel kernel, ServiceMetrics metrics, Readiness readiness, Shared process) {
        this.kernel = kernel;
        this.metrics = metrics;
        this.readiness = readiness;
        this.process = process;
    }

    /** Makes the live parts that the topology declares. */
    public Kernel kernel() {
        return kernel;
    }

    public Clock clock() {
        return kernel.clock();
    }

    public ServiceMetrics metrics() {
        return metrics;
    }

    public Readiness readiness() {
        return readiness;
    }

    /** The section as it is now; ask again after a reload, or keep {@link #configs}. */
    public <T extends Record> T config(Class<T> section) {
        return process.config().value().section(section);
    }

    public Watch<Config> configs() {
        return process.config();
    }

    /** Has the service take part in reloads; only needed where something must be prepared or rebuilt. */
    public void onReload(ConfigSubscriber subscriber) {
        process.reloader().subscribe(subscriber);
    }

    public Bus bus() {
        return process.bus();
    }

    public Tracer tracer() {
        return process.tracer();
    }

    public Shutdown shutdown() {
        return process.shutdown();
    }

    /** Has something that is not a part of the topology, such as a listener, end in its stage. */
    public void stopWithProcess(Drainable member) {
        process.shutdown().register(member);
    }

    /** Adds {@code /healthz}, {@code /readyz} and {@code /readyz/write} of this service to its own listener. */
    public void addProbes(Routes routes) {
        added = Optional.of(routes);
        process.probes().apply(kernel.topology().service()).addTo(routes);
    }

    /** Says where the service listens; shown in the status document as {@code http_addr}. */
    public void listensAt(String address) {
        addresses.put("http_addr", address);
    }

    /** Method and template of each of the service's routes. */
    List<String> routes() {
        return added.map(Routes::listed).orElseGet(List::of);
    }

    Map<String, String> addresses() {
        return addresses;
    }
}
