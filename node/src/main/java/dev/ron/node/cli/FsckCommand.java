package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Findings;
import dev.ron.node.NodeConfig;
import dev.ron.node.Stop;
import dev.ron.node.data.DataFolder;
import dev.ron.node.fsck.Fsck;
import dev.ron.passport.PassportConfig;
import dev.ron.registry.RegistryConfig;
import dev.ron.service.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron fsck}: is everything in a stopped node's data folder whole? */
@Command(
        name = "fsck",
        description = {
            "Check the data folder of a stopped node: registry log, keystore, journal, audit chains, tile store.",
            "It changes nothing. Exit code 0: whole; 1: something is damaged; 73: a node uses the folder."
        })
final class FsckCommand implements Callable<Integer> {
    @Mixin
    ConfigOptions options;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Config config = options.load();
        Path data = config.section(NodeConfig.class).data();
        if (!Files.isDirectory(data)) {
            throw new Stop(
                    ExitCode.NO, "no data folder at " + data, "there is nothing to check", "say where: --data DIR");
        }
        try (DataFolder folder = DataFolder.open(data)) {
            Findings findings = new Fsck(
                            folder.root(),
                            config.section(PassportConfig.class).kms().passphrase(),
                            config.section(RegistryConfig.class).witnessPath())
                    .run();
            FindingsPrinter.print(spec.commandLine().getOut(), findings, json);
            return findings.good() ? ExitCode.OK.code() : ExitCode.NO.code();
        }
    }
}
