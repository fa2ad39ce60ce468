package dev.ron.node.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ron completion}: what a shell needs to complete commands and flags. */
@Command(name = "completion", description = "Print a completion script for bash and zsh: source <(ron completion)")
final class CompletionCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().getOut().print(AutoComplete.bash("ron", RonCommand.commandLine()));
    }
}
