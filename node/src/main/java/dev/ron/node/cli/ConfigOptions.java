package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSections;
import dev.ron.node.Stop;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say how a node is configured, shared by every command that reads the configuration. */
final class ConfigOptions {
    private static final Path DEFAULT_FILE = Path.of("ron.toml");

    @Option(names = "--config", paramLabel = "FILE", description = "configuration file (default: ./ron.toml if there)")
    @Nullable
    Path config;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "set one key; may be repeated")
    List<String> set = new ArrayList<>();

    @Option(names = "--port-base", paramLabel = "N", description = "first of the seven ports (default: 8080; 0: any)")
    @Nullable
    String portBase;

    @Option(names = "--data", paramLabel = "DIR", description = "data folder (default: ./data)")
    @Nullable
    String data;

    @Option(names = "--profile", paramLabel = "micro|macro", description = "micro writes no file")
    @Nullable
    String profile;

    @Option(names = "--services", paramLabel = "A,B", description = "run only these services")
    @Nullable
    String services;

    @Option(names = "--bind", paramLabel = "ADDRESS", description = "address of the public listeners")
    @Nullable
    String bind;

    @Option(names = "--demo", description = "run the demo although there is a configuration file")
    boolean demo;

    Sources sources() {
        Sources sources = Sources.none().withEnv(System.getenv());
        Optional<Path> file = file();
        if (file.isPresent()) {
            sources = sources.withFile(file.get());
        }
        for (String assignment : set) {
            sources = sources.withSet(assignment);
        }
        sources = flag(sources, "--port-base", "node.port_base", portBase);
        sources = flag(sources, "--data", "node.data", data);
        sources = flag(sources, "--profile", "node.profile", profile);
        sources = flag(sources, "--services", "node.services", services);
        sources = flag(sources, "--bind", "node.bind", bind);
        return demo ? sources.withFlag("--demo", "node.demo.enabled", "true") : sources;
    }

    private static Sources flag(Sources sources, String flag, String key, @Nullable String value) {
        return value == null ? sources : sources.withFlag(flag, key, value);
    }

    /** Whether a node with these flags runs the demo; it is the end of the command where others could reach it. */
    boolean demo(NodeConfig node) {
        publicDemo(node).ifPresent(stop -> {
            throw stop;
        });
        return runsDemo(node);
    }

    boolean runsDemo(NodeConfig node) {
        return file().isEmpty() || node.demo().enabled();
    }

    /** Why the demo cannot run: its first client may do everything, and its signers' keys lie about. */
    Optional<Stop> publicDemo(NodeConfig node) {
        if (!runsDemo(node) || node.isLoopback()) {
            return Optional.empty();
        }
        return Optional.of(new Stop(
                ExitCode.BAD_CONFIG,
                "the demo never listens beyond this machine",
                "node.bind is " + node.bind() + ", and "
                        + (file().isEmpty() ? "without a ron.toml a node runs the demo" : "node.demo.enabled is true"),
                file().isEmpty()
                        ? "write a configuration with ron init, or leave node.bind at 127.0.0.1"
                        : "leave the demo out, or node.bind at 127.0.0.1"));
    }

    /** The configuration file in use, if any. */
    Optional<Path> file() {
        if (config != null) {
            if (!Files.isReadable(config)) {
                throw new Stop(
                        ExitCode.BAD_CONFIG,
                        "cannot read the configuration file " + config,
                        "--config names a file that is not there or not readable",
                        "check the path, or leave --config out to run with defaults");
            }
            return Optional.of(config);
        }
        return Files.isReadable(DEFAULT_FILE) ? Optional.of(DEFAULT_FILE) : Optional.empty();
    }

    /** The configuration, or every problem with it and the end of the command. */
    Config load() {
        return switch (ConfigLoader.load(NodeSections.ALL, sources())) {
            case ConfigResult.Loaded(Config loaded) -> loaded;
            case ConfigResult.Rejected rejected -> throw rejection(rejected);
        };
    }

    /** The data folder, as a whole path; who names it on the command line needs no configuration that is right. */
    Path dataFolder() {
        Path folder = data == null ? load().section(NodeConfig.class).data() : Path.of(data);
        return folder.toAbsolutePath().normalize();
    }

    static Stop rejection(ConfigResult.Rejected rejected) {
        List<String> lines = new ArrayList<>(rejected.text().lines().toList());
        int count = rejected.errors().size();
        lines.add(count == 1 ? "1 problem; nothing was started" : count + " problems; nothing was started");
        return Stop.listing(ExitCode.BAD_CONFIG, lines);
    }
}
