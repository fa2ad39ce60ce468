package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Findings;
import dev.ron.node.Inspection;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSections;
import dev.ron.service.config.Config;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron check}: would {@code ron up} with the same flags start? */
@Command(name = "check", description = "Check configuration, ports and data folder, and build all services in memory.")
final class CheckCommand implements Callable<Integer> {
    @Mixin
    ConfigOptions options;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        Config config = options.load();
        NodeConfig node = config.section(NodeConfig.class);
        Findings findings = new Inspection(
                        node, NodeSections.listeners(options.file().isEmpty(), node))
                .start()
                .findings();
        new Rehearsal(options, node).run(findings);
        FindingsPrinter.print(spec.commandLine().getOut(), findings, json);
        return findings.good() ? ExitCode.OK.code() : ExitCode.NO.code();
    }
}
