package dev.ron.node.cli;

import dev.ron.service.status.BuildInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ron man}: the manual page. */
@Command(name = "man", description = "Print the manual page: ron man | man -l -")
final class ManCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine()
                .getOut()
                .print(CommandReference.ofRon().man(BuildInfo.load().version()));
    }
}
