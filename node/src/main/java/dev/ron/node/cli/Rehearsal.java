package dev.ron.node.cli;

import dev.ron.node.Findings;
import dev.ron.node.Findings.Finding;
import dev.ron.node.Node;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSections;
import dev.ron.node.Stop;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds the services of a configuration as a start would, in memory and on ports that the system chooses, and stops
 * them again: what only building finds, such as a certificate that fits no key, is found here.
 */
final class Rehearsal {
    private static final String WHAT = "services";
    private static final String FLAG = "ron check";
    private static final String REGISTRY = "registry";

    private final ConfigOptions options;
    private final NodeConfig config;
    private final boolean demo;
    private final boolean registry;

    /** @param registry whether a start would bring one up */
    Rehearsal(ConfigOptions options, NodeConfig config, boolean registry) {
        this.options = options;
        this.config = config;
        this.demo = options.demo(config);
        this.registry = registry;
    }

    /** All together as they will run; where that fails, each by itself, so that every problem is found and not the first. */
    void run(Findings findings) {
        List<String> services = services();
        Optional<Finding> together = build(WHAT, services, demo);
        List<String> built = new ArrayList<>(services);
        if (together.isPresent()) {
            built.clear();
            List<Finding> alone = new ArrayList<>();
            for (String service : services) {
                build(service, List.of(service), demo).ifPresentOrElse(alone::add, () -> built.add(service));
            }
            (alone.isEmpty() ? List.of(together.get()) : alone).forEach(findings::add);
        }
        if (!demo && registry) {
            // There is no copy of a log in memory; with the demo's all but the log itself is built.
            build(REGISTRY, List.of(REGISTRY), true).ifPresentOrElse(findings::add, () -> built.add(REGISTRY));
        }
        if (!built.isEmpty()) {
            findings.ok(WHAT, String.join(", ", built) + " were built in memory and stopped again");
        }
    }

    /** What is wrong with these services; empty where they come up. */
    private Optional<Finding> build(String what, List<String> services, boolean asDemo) {
        if (services.isEmpty()) {
            return Optional.empty();
        }
        Sources sources = options.sources()
                .withFlag(FLAG, "node.profile", "micro")
                .withFlag(FLAG, "node.port_base", "0")
                .withFlag(FLAG, "node.bind", "127.0.0.1")
                .withFlag(FLAG, "node.log.level", "error")
                .withFlag(FLAG, "node.services", String.join(",", services));
        if (!services.contains("passport") && NodeSections.runs(config, "passport")) {
            // The office of the same process, which is built by itself.
            sources = sources.withFlag(FLAG, "node.passport.url", "http://127.0.0.1:9");
        }
        return switch (ConfigLoader.load(NodeSections.ALL, sources)) {
            case ConfigResult.Loaded(Config loaded) -> start(what, loaded, sources, asDemo);
            case ConfigResult.Rejected rejected ->
                Optional.of(Finding.bad(what, "not built: " + rejected.text().strip(), "ron up says more"));
        };
    }

    private static Optional<Finding> start(String what, Config loaded, Sources sources, boolean asDemo) {
        Logs logs = Logs.install(LogFormat.TEXT, "error", System.err);
        try (Node _ = UpCommand.start(loaded, sources, asDemo, logs)) {
            return Optional.empty();
        } catch (Stop stop) {
            List<String> lines = stop.lines();
            return Optional.of(Finding.bad(
                    what, String.join(": ", lines.subList(0, lines.size() - 1)), lines.getLast()));
        } catch (Exception e) {
            return Optional.of(Finding.bad(what, String.valueOf(e.getMessage()), "ron up says more"));
        }
    }

    private List<String> services() {
        List<String> services = new ArrayList<>(NodeSections.listeners(demo, config));
        services.removeAll(List.of("ops", "demo"));
        if (!demo) {
            services.remove(REGISTRY);
        }
        return services;
    }
}
