package dev.ron.node.cli;

import dev.ron.ledger.Refused;
import dev.ron.node.ExitCode;
import dev.ron.node.NodeConfig;
import dev.ron.node.Stop;
import dev.ron.node.data.DataFolder;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.Rollback;
import dev.ron.registry.store.StoreFault;
import dev.ron.service.config.Config;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron registry accept-rollback}: goes on from an older log after the newer one is lost, while no node runs. */
@Command(
        name = "accept-rollback",
        description = {
            "Go on from an older log where the newer one is lost: its state begins a new log under a new origin.",
            "The old log is kept beside it. Whoever verifies must trust the new genesis."
        })
final class RegistryRollback implements Callable<Integer> {
    @Mixin
    ConfigOptions options;

    @Option(names = "--yes", description = "do it; without it the command only says what it would do")
    boolean yes;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Config config = options.load();
        try (DataFolder data = DataFolder.open(config.section(NodeConfig.class).data())) {
            Path witness = config.section(RegistryConfig.class)
                    .witnessPath()
                    .orElseGet(() -> data.root().resolve("witness").resolve("registry.head"));
            try {
                return acceptIn(data, witness);
            } finally {
                data.giveToOwner(data.root().resolve("registry"), data.root().resolve("witness"), witness);
            }
        } catch (StoreFault fault) {
            throw new Stop(
                    fault.kind() == StoreFault.Kind.LOCKED ? ExitCode.LOCKED : ExitCode.NO,
                    "cannot go on from this log",
                    String.valueOf(fault.getMessage()),
                    fault.kind() == StoreFault.Kind.LOCKED
                            ? "stop the node that uses the folder"
                            : "ron fsck looks at all of it; what is damaged comes back from a backup: ron restore");
        } catch (Refused e) {
            throw new Stop(
                    ExitCode.NO,
                    "the state does not fit into a genesis",
                    e.detail(),
                    "begin a log with ron registry init and propose the descriptors again");
        }
    }

    private int acceptIn(DataFolder data, Path witness) throws IOException, Refused {
        PrintWriter out = spec.commandLine().getOut();
        Rollback rollback = new Rollback(data.root().resolve("registry"), Optional.of(witness));
        Rollback.Found found = rollback.look()
                .orElseThrow(() -> new Stop(
                        ExitCode.NO,
                        "nothing to accept",
                        "the log is as new as it ever was",
                        "start the node: ron up"));
        say(out, found);
        if (!yes) {
            out.println("nothing was changed; to do it say --yes");
            out.flush();
            return ExitCode.NO.code();
        }
        Rollback.Accepted accepted = rollback.accept(System.currentTimeMillis(), new SecureRandom());
        out.println("log " + accepted.origin() + " begins with what version " + found.version()
                + " held; the old log is kept in " + accepted.kept());
        out.println("genesis " + accepted.genesis());
        out.println("give that hash to whoever shall verify: ./ron registry verify FILE --genesis b3:...");
        out.flush();
        return ExitCode.OK.code();
    }

    private static void say(PrintWriter out, Rollback.Found found) {
        out.println("log " + found.origin() + " was rolled back: " + found.why());
        out.println("a new log would begin with its " + found.descriptors() + " descriptors and its signers"
                + (found.deprecated() == 0 ? "" : "; " + found.deprecated() + " deprecated ones would be published"));
    }
}
