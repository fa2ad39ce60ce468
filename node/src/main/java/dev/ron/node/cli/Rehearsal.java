package dev.ron.node.cli;

import dev.ron.node.Findings;
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

/**
 * Builds the services of a configuration as a start would, in memory and on ports that the system chooses, and stops
 * them again: what only building finds, such as a certificate that fits no key, is found here.
 */
final class Rehearsal {
    private static final String WHAT = "services";
    private static final String FLAG = "ron check";

    private final ConfigOptions options;
    private final NodeConfig config;
    private final boolean demo;

    Rehearsal(ConfigOptions options, NodeConfig config) {
        this.options = options;
        this.config = config;
        this.demo = options.file().isEmpty() || config.demo().enabled();
    }

    void run(Findings findings) {
        List<String> services = services();
        if (services.isEmpty()) {
            return;
        }
        Sources sources = options.sources()
                .withFlag(FLAG, "node.profile", "micro")
                .withFlag(FLAG, "node.port_base", "0")
                .withFlag(FLAG, "node.bind", "127.0.0.1")
                .withFlag(FLAG, "node.log.level", "error")
                .withFlag(FLAG, "node.services", String.join(",", services));
        switch (ConfigLoader.load(NodeSections.ALL, sources)) {
            case ConfigResult.Loaded(Config loaded) -> build(loaded, sources, services, findings);
            case ConfigResult.Rejected rejected ->
                findings.warn(WHAT, "not built: " + rejected.text().strip(), "ron up says more");
        }
    }

    private void build(Config loaded, Sources sources, List<String> services, Findings findings) {
        Logs logs = Logs.install(LogFormat.TEXT, "error", System.err);
        try (Node node = UpCommand.start(loaded, sources, demo, logs)) {
            List<String> built =
                    services.stream().filter(node.ports()::containsKey).toList();
            findings.ok(WHAT, String.join(", ", built) + " were built in memory and stopped again");
        } catch (Stop stop) {
            List<String> lines = stop.lines();
            findings.bad(WHAT, String.join(": ", lines.subList(0, lines.size() - 1)), lines.getLast());
        } catch (Exception e) {
            findings.bad(WHAT, String.valueOf(e.getMessage()), "ron up says more");
        }
    }

    /** All but a log on disk, of which there is no copy in memory: {@code ron fsck} reads it. */
    private List<String> services() {
        List<String> services = new ArrayList<>(NodeSections.listeners(!demo, config));
        services.removeAll(List.of("ops", "demo"));
        if (!demo) {
            services.remove("registry");
        }
        return services;
    }
}
