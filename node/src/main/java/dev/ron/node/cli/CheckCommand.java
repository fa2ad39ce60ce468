package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Findings;
import dev.ron.node.Inspection;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSections;
import dev.ron.node.Stop;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron check}: would {@code ron up} with the same flags start? */
@Command(
        name = "check",
        description = {
            "Check configuration, ports, data folder and passphrase, and build all services in memory.",
            "Exit code 0: it would start; 1: it would not; 2: the configuration is wrong."
        })
final class CheckCommand implements Callable<Integer> {
    @Mixin
    ConfigOptions options;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        return switch (ConfigLoader.load(NodeSections.ALL, options.sources())) {
            case ConfigResult.Loaded(Config config) -> {
                NodeConfig node = config.section(NodeConfig.class);
                Findings findings = before(node);
                if (options.publicDemo(node).isPresent()) {
                    yield end(findings, ExitCode.BAD_CONFIG);
                }
                KeptData kept = new KeptData(config, options.demo(node));
                kept.check(findings);
                new Rehearsal(options, node, kept.runsRegistry()).run(findings);
                yield end(findings, ExitCode.NO);
            }
            case ConfigResult.Rejected rejected -> {
                // What can be said without a whole configuration is said too: one run, every problem.
                Findings findings =
                        rejected.section(NodeConfig.class).map(this::before).orElseGet(Findings::new);
                rejected.errors().forEach(error -> findings.bad("config", error.toString(), ""));
                yield end(findings, ExitCode.BAD_CONFIG);
            }
        };
    }

    private Findings before(NodeConfig node) {
        Findings findings = new Inspection(node, NodeSections.listeners(options.runsDemo(node), node))
                .start()
                .findings();
        options.publicDemo(node)
                .map(Stop::lines)
                .ifPresent(said -> findings.bad("config", said.get(0) + ": " + said.get(1), said.get(2)));
        return findings;
    }

    private int end(Findings findings, ExitCode otherwise) {
        FindingsPrinter.print(spec.commandLine().getOut(), findings, json);
        return findings.good() ? ExitCode.OK.code() : otherwise.code();
    }
}
