package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Findings;
import dev.ron.node.Inspection;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSections;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron doctor}: is this machine fit for a node? */
@Command(name = "doctor", description = "Look at the machine: Java, limits, disk, native libraries, ports.")
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    ConfigOptions options;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        NodeConfig node = options.load().section(NodeConfig.class);
        Findings findings = new Inspection(node, NodeSections.listeners(options.demo(node), node))
                .machine()
                .start()
                .findings();
        FindingsPrinter.print(spec.commandLine().getOut(), findings, json);
        return findings.good() ? ExitCode.OK.code() : ExitCode.NO.code();
    }
}
