package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.NodeSections;
import dev.ron.node.Stop;
import dev.ron.service.config.ConfigTemplate;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron init}: writes a {@code ron.toml} in which every key is explained and nothing is set. */
@Command(name = "init", description = "Write a ron.toml with every key, its meaning and its default.")
final class InitCommand implements Runnable {
    private static final String HEAD = """
            # RON's configuration. Every key is here with its default, commented out: take the "#" away to change one.
            # ron check        says whether it is right, with file and line where it is not
            # ron config show  says what a node would run with, and where each value comes from
            # ron reload       has a running node read it again, whole or not at all
            # A flag wins over an environment variable (RON__NODE__PORT_BASE), that over this file.
            """;

    @Option(names = "--config", paramLabel = "FILE", description = "the file to write (default: ron.toml)")
    Path file = Path.of("ron.toml");

    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        try {
            Files.writeString(file, HEAD + ConfigTemplate.toml(NodeSections.ALL), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            throw new Stop(
                    ExitCode.NO,
                    file + " is there already",
                    "it may hold your settings, so it is left as it is",
                    "write elsewhere: ron init --config FILE");
        } catch (IOException e) {
            throw new Stop(ExitCode.NO, "cannot write " + file, e.toString(), "choose another place: --config FILE");
        }
        spec.commandLine().getOut().println("wrote " + file + "; next: ron check, then ron up");
    }
}
