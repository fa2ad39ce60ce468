package dev.ron.node.cli;

import dev.ron.kernel.error.RonException;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.service.config.Nearest;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code ron}: the command line and how it fails, always with what, why and what to do. */
@Command(
        name = "ron",
        description = {"RON: gateway, edge, passport, registry and console in one process.", ""},
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        commandListHeading = "",
        footer = {"", "Start here: ron up"})
public final class RonCommand implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(
            UpCommand.class,
            InitCommand.class,
            CheckCommand.class,
            ConfigCommand.class,
            StatusCommand.class,
            TopCommand.class,
            WhyCommand.class,
            ReloadCommand.class,
            NodeAction.Drain.class,
            NodeAction.Resume.class,
            NodeAction.Stop.class,
            ProfileCommand.class,
            BackupCommand.Write.class,
            BackupCommand.Restore.class,
            FsckCommand.class,
            TokenCommand.class,
            KeysCommand.class,
            ClientCommand.class,
            CertCommand.class,
            RegistryCommand.class,
            PackCommand.class,
            DoctorCommand.class,
            VersionCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            LauncherCommand.RunTests.class,
            LauncherCommand.Measure.class,
            LauncherCommand.WriteDocs.class,
            LauncherCommand.MakePackage.class,
            WarmCommand.class);

    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** Runs one command line and answers the exit code. */
    public static int run(String... args) {
        // Commands talk on standard output; the log is for what should not have happened. `up` sets its own.
        Logs.install(LogFormat.TEXT, "warn", System.err);
        return run(writer(System.out), writer(System.err), args);
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8); // over the stream itself: its checkError tells
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine command = commandLine(asked(args));
        command.setOut(out);
        command.setErr(err);
        command.setCaseInsensitiveEnumValuesAllowed(true);
        command.setParameterExceptionHandler(usageErrors());
        command.setExecutionExceptionHandler((failure, line, parsed) -> explain(failure, err));
        command.setExitCodeExceptionMapper(failure -> ExitCode.USAGE.code());
        command.setExecutionStrategy(parsed -> {
            try {
                return new CommandLine.RunLast().execute(parsed);
            } finally {
                parsed.asCommandLineList().forEach(line -> hangUp(line.getCommandSpec()));
            }
        });
        int code = command.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    private static void hangUp(CommandSpec spec) {
        for (CommandSpec mixin : spec.mixins().values()) {
            if (mixin.userObject() instanceof NodeTarget node) {
                node.close();
            }
            hangUp(mixin);
        }
    }

    /** The command that a line begins with; every one where it is not plain which is meant. Making all takes a moment. */
    private static List<Class<?>> asked(String... args) {
        return COMMANDS.stream()
                .filter(one -> args.length > 0
                        && one.getAnnotation(Command.class).name().equals(args[0]))
                .findFirst()
                .<List<Class<?>>>map(List::of)
                .orElse(COMMANDS);
    }

    /** Every command there is, with help on each. */
    static CommandLine commandLine() {
        return commandLine(COMMANDS);
    }

    private static CommandLine commandLine(List<Class<?>> commands) {
        CommandLine command = new CommandLine(new RonCommand());
        commands.forEach(command::addSubcommand);
        // An argument that begins with @ is what an option says it is, never a file of more arguments.
        command.setExpandAtFiles(false);
        command.getSubcommands().values().forEach(RonCommand::addHelp);
        addHelp(command);
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::list);
        return command;
    }

    private static void addHelp(CommandLine command) {
        command.getCommandSpec()
                .addOption(CommandLine.Model.OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("show this help")
                        .build());
        command.getSubcommands().values().stream()
                .filter(sub -> sub.getCommandSpec().findOption("--help") == null)
                .forEach(RonCommand::addHelp);
    }

    private static IParameterExceptionHandler usageErrors() {
        return (ParameterException failure, String[] args) -> {
            PrintWriter err = failure.getCommandLine().getErr();
            err.println("ron: " + problem(failure));
            nearest(failure).ifPresent(meant -> err.println("did you mean: " + meant));
            err.println("try: " + failure.getCommandLine().getCommandSpec().qualifiedName() + " --help");
            return ExitCode.USAGE.code();
        };
    }

    private static String problem(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return String.valueOf(failure.getMessage());
        }
        String first = unmatched.getUnmatched().getFirst();
        if (first.startsWith("-")) {
            return "there is no option '" + first + "' here";
        }
        boolean wantsCommand = !failure.getCommandLine().getSubcommands().isEmpty();
        return (wantsCommand ? "there is no command '" : "one word too many: '") + first + "'";
    }

    /** The command or option that was most likely meant. */
    private static Optional<String> nearest(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return Optional.empty();
        }
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        String typed = unmatched.getUnmatched().getFirst();
        if (typed.startsWith("-")) {
            return Nearest.to(typed.split("=", 2)[0], command.optionsMap().keySet());
        }
        return Nearest.to(typed, command.subcommands().keySet()).map(name -> command.qualifiedName() + " " + name);
    }

    private static int explain(Exception failure, PrintWriter err) {
        return switch (failure) {
            case Stop stop -> {
                print(err, stop.lines());
                yield stop.code().code();
            }
            case RonException refused -> {
                print(
                        err,
                        List.of(
                                refused.code().title().toLowerCase(Locale.ROOT),
                                refused.detail(),
                                refused.code().retryable() ? "try again in a moment" : "check what was asked for"));
                yield ExitCode.NO.code();
            }
            case FileSystemException file -> {
                print(err, files(file));
                yield ExitCode.NO.code();
            }
            case UncheckedIOException wrapped
            when wrapped.getCause() instanceof FileSystemException file -> {
                print(err, files(file));
                yield ExitCode.NO.code();
            }
            default -> {
                failure.printStackTrace(err);
                yield ExitCode.FATAL.code();
            }
        };
    }

    private static List<String> files(FileSystemException failure) {
        String why = switch (failure) {
            case NoSuchFileException _ -> "there is no such file or folder";
            case AccessDeniedException _ -> "this account may not";
            default -> failure.getReason() == null ? failure.getClass().getSimpleName() : failure.getReason();
        };
        return List.of("cannot use " + failure.getFile(), why, "check the path and who owns it");
    }

    private static void print(PrintWriter err, List<String> lines) {
        err.println("ron: " + lines.getFirst());
        lines.stream().skip(1).forEach(line -> err.println("     " + line));
    }
}
