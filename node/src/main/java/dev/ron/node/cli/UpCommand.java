package dev.ron.node.cli;

import dev.ron.gateway.NoIssuer;
import dev.ron.http.loop.TooOpen;
import dev.ron.http.server.CannotBind;
import dev.ron.http.tls.BadTlsFile;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.node.ExitCode;
import dev.ron.node.Node;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeSections;
import dev.ron.node.PortHolder;
import dev.ron.node.Ports;
import dev.ron.node.ServiceManager;
import dev.ron.node.Signals;
import dev.ron.node.Stop;
import dev.ron.passport.kms.CannotOpen;
import dev.ron.registry.NoLog;
import dev.ron.registry.store.StoreFault;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.Sources;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron up}: starts a node, says where everything is, and stays until it is told to stop. */
@Command(name = "up", description = "Start the node and stay until Ctrl-C.")
final class UpCommand implements Callable<Integer> {
    @Mixin
    ConfigOptions options;

    @Option(names = "--ports-file", paramLabel = "FILE", description = "write the ports in use as JSON, once ready")
    @Nullable
    Path portsFile;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Signals signals = Signals.install();
        Config config = options.load();
        NodeConfig settings = config.section(NodeConfig.class);
        boolean demo = options.demo(settings);
        Sources sources = options.sources();
        // Only the shell knows whether standard error is a terminal; the launcher passes it on.
        boolean terminal = Boolean.getBoolean("ron.terminal");
        Logs logs = Logs.install(format(settings, terminal), word(settings.log().level()), System.err);
        try (Node node = start(config, sources, demo, logs)) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(new Banner(node, demo));
            out.printf(Locale.ROOT, "ready in %d ms%n", readyMillis());
            out.print(new Banner(node, demo).whatToDo());
            out.flush();
            node.obey(signals); // not before: what is printed asks services that a stop would close
            if (portsFile != null) {
                Ports.write(portsFile, node.ports());
            }
            ServiceManager manager = new ServiceManager(Optional.ofNullable(System.getenv("NOTIFY_SOCKET")));
            manager.ready();
            Shutdown.Report report =
                    new DrainWatch(node, spec.commandLine().getErr(), terminal, manager::stopping).await();
            return report.exitCode();
        }
    }

    /** A node, or why there is none, in words. */
    static Node start(Config config, Sources sources, boolean demo, Logs logs) throws Exception {
        try {
            return Node.start(config, () -> ConfigLoader.load(NodeSections.ALL, sources), demo, Clock.system(), logs);
        } catch (CannotOpen broken) {
            throw new Stop(
                    broken.isRollback() ? ExitCode.ROLLBACK : ExitCode.BAD_CONFIG,
                    "the passport office cannot open",
                    String.valueOf(broken.getMessage()),
                    broken.advice());
        } catch (BadTlsFile bad) {
            throw new Stop(
                    ExitCode.BAD_CONFIG,
                    "TLS cannot be offered",
                    String.valueOf(bad.getMessage()),
                    "give files that fit, or make some for trying out: ron cert dev");
        } catch (NoIssuer missing) {
            throw new Stop(
                    ExitCode.BAD_CONFIG,
                    "the gateway cannot open",
                    String.valueOf(missing.getMessage()),
                    missing.advice());
        } catch (NoLog missing) {
            throw new Stop(
                    ExitCode.BAD_CONFIG,
                    "the registry cannot open",
                    String.valueOf(missing.getMessage()),
                    missing.advice());
        } catch (StoreFault fault) {
            throw new Stop(
                    switch (fault.kind()) {
                        case LOCKED -> ExitCode.LOCKED;
                        case ROLLED_BACK -> ExitCode.ROLLBACK;
                        default -> ExitCode.FATAL;
                    },
                    "the registry cannot open",
                    String.valueOf(fault.getMessage()),
                    fault.kind() == StoreFault.Kind.ROLLED_BACK
                            ? "put the newer folder back; where it is lost, ron registry accept-rollback goes on as another log"
                            : "see docs/guides/govern-config.md");
        } catch (TooOpen open) {
            throw new Stop(
                    ExitCode.BAD_CONFIG,
                    "a socket that was handed over is open to others",
                    open.detail(),
                    "make it one of this machine (ListenStream=127.0.0.1:...), or set node.bind and node.danger_ok");
        } catch (CannotBind taken) {
            throw new Stop(
                    ExitCode.CANNOT_BIND,
                    "port " + taken.port() + " cannot be used",
                    PortHolder.of(taken.port()).stream()
                            .findFirst()
                            .map(holder -> holder + " listens there")
                            .orElse(taken.detail()),
                    "free it, or choose other ports: --port-base N (0 lets the system choose)");
        }
    }

    /** From the start of the JVM, as a person at the terminal counts. */
    private static long readyMillis() {
        return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    }

    private static LogFormat format(NodeConfig settings, boolean terminal) {
        return switch (settings.log().format()) {
            case AUTO -> Logs.formatFor(terminal);
            case JSON -> LogFormat.JSON;
            case TEXT -> LogFormat.TEXT;
        };
    }

    private static String word(NodeConfig.Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
