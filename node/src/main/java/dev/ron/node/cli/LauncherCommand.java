package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * What the launcher does by itself in a source checkout, before there is any Java to run.
 *
 * <p>Here so that help, completion, manual and reference know of it; whoever comes here came without the launcher.
 */
abstract sealed class LauncherCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        throw new Stop(
                ExitCode.USAGE,
                "ron " + spec.name() + " is done by the launcher",
                "it builds from source, which is not here",
                "run ./ron " + spec.name() + " in a checkout of the sources");
    }

    /** {@code ron test}. */
    @Command(name = "test", description = "In a source checkout: run everything that proves it.")
    static final class RunTests extends LauncherCommand {
        @Option(names = "--long", description = "also what takes an hour: soak and chaos")
        boolean longer;
    }

    /** {@code ron bench}. */
    @Command(name = "bench", description = "In a source checkout: measure, beside other servers where there are any.")
    static final class Measure extends LauncherCommand {
        @Parameters(
                index = "0",
                arity = "1",
                paramLabel = "NAME",
                description = "host, gateway, edge, fairness, kernel, node, passport, admin or registry")
        String name = "";

        @Parameters(
                index = "1..*",
                arity = "0..*",
                paramLabel = "PART",
                description = "with registry: only these of recovery, many, one and streams")
        List<String> parts = List.of();

        @Option(names = "--gate", description = "fail where a number that must be reached is not")
        boolean gate;

        @Option(names = "--quick", description = "shorter, and less sure")
        boolean quick;

        @Option(names = "--peers", description = "also fetch and measure servers that are no Debian package")
        boolean peers;

        @Option(names = "--cache-tests", description = "with edge: only the public tests of HTTP caches")
        boolean cacheTests;

        @Option(names = "--record", description = "keep the numbers for docs/benchmarks.md")
        boolean record;
    }

    /** {@code ron docs}. */
    @Command(name = "docs", description = "In a source checkout: write the generated pages of the docs anew.")
    static final class WriteDocs extends LauncherCommand {}

    /** {@code ron package}. */
    @Command(
            name = "package",
            description = "In a source checkout: make the distribution, with its own runtime, under target/.")
    static final class MakePackage extends LauncherCommand {}
}
