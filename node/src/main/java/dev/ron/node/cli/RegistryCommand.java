package dev.ron.node.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ron registry}: change the log by quorum, read it, prove it. */
@Command(
        name = "registry",
        description = "Propose, approve, commit, read and verify what the registry holds.",
        subcommands = {
            RegistryInit.class,
            RegistryInit.NewKey.class,
            RegistryWrites.Propose.class,
            RegistryWrites.Rotate.class,
            RegistryApprove.class,
            RegistryWrites.Commit.class,
            RegistryReads.Log.class,
            RegistryReads.Show.class,
            RegistryWatch.class,
            RegistryReads.GetBundle.class,
            RegistryVerify.class,
            RegistryFreeze.Freeze.class,
            RegistryFreeze.Thaw.class,
            RegistryRollback.class
        })
final class RegistryCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
