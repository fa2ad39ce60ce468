package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Every command with its flags, as a page of the reference and as a manual page. */
public final class CommandReference {
    private static final List<String[]> ENVIRONMENT = List.of(
            new String[] {"RON__SECTION__KEY", "sets a key of the configuration, such as RON__NODE__PORT_BASE"},
            new String[] {"RON_TOKEN", "the operator's credential, for commands that act on a running node"},
            new String[] {"RON_CLIENT_KEY", "the client key, for commands that ask a passport office"},
            new String[] {"RON_CAPABILITY", "the token for writes, for commands that change a registry"},
            new String[] {"RON_PASSPHRASE", "opens a signer's key file"},
            new String[] {"RON_JAVA_HOME", "the JDK to use; the launcher finds one by itself"},
            new String[] {
                "RON_HEAP, RON_DIRECT", "memory of a node, 256m each by default; RON_HEAP that of ron pack, 512m"
            },
            new String[] {"RON_JAVA_OPTS", "further flags for the JVM"},
            new String[] {"RON_AOT", "off: neither make nor use the cache that makes starts faster"},
            new String[] {"NO_COLOR", "ron top without colours"});

    private final List<CommandSpec> commands = new ArrayList<>();

    private CommandReference(CommandLine root) {
        root.getSubcommands().values().forEach(this::collect);
    }

    public static CommandReference ofRon() {
        return new CommandReference(RonCommand.commandLine());
    }

    private void collect(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.usageMessage().hidden()) {
            return;
        }
        commands.add(spec);
        command.getSubcommands().values().forEach(this::collect);
    }

    /** The commands, without {@code ron}, that take this flag and can be run. */
    public List<String> commandsWith(String flag) {
        return commands.stream()
                .filter(command -> command.subcommands().isEmpty() && command.findOption(flag) != null)
                .map(command -> command.qualifiedName().substring("ron ".length()))
                .toList();
    }

    public String markdown() {
        StringBuilder page = new StringBuilder("# Commands\n\nGenerated from code; `./ron docs` writes it anew.\n");
        for (CommandSpec command : commands) {
            page.append("\n## `").append(synopsis(command)).append("`\n\n");
            page.append(description(command)).append('\n');
            List<String[]> rows = rows(command);
            if (!rows.isEmpty()) {
                page.append("\n| | |\n| --- | --- |\n");
                rows.forEach(row -> page.append("| `")
                        .append(row[0].replace("|", "\\|"))
                        .append("` | ")
                        .append(row[1].replace("|", "\\|"))
                        .append(" |\n"));
            }
        }
        return page.toString();
    }

    /** In roff, for {@code man}. */
    public String man(String version) {
        StringBuilder page = new StringBuilder();
        page.append(".TH RON 1 \"\" \"RON ").append(version).append("\"\n");
        page.append(".SH NAME\nron \\- gateway, edge, passport, registry and console in one process\n");
        page.append(".SH SYNOPSIS\n.B ron\n.I COMMAND\n[options]\n.SH COMMANDS\n");
        for (CommandSpec command : commands) {
            page.append(".SS ").append(roff(synopsis(command))).append('\n');
            page.append(roff(description(command))).append('\n');
            rows(command)
                    .forEach(row -> page.append(".TP\n.B ")
                            .append(roff(row[0]))
                            .append('\n')
                            .append(roff(row[1]))
                            .append('\n'));
        }
        page.append(".SH EXIT STATUS\n");
        for (ExitCode code : ExitCode.values()) {
            page.append(".TP\n.B ").append(code.code()).append('\n');
            page.append(roff(code.meaning())).append('\n');
        }
        page.append(".SH ENVIRONMENT\n");
        ENVIRONMENT.forEach(row -> page.append(".TP\n.B ")
                .append(row[0])
                .append('\n')
                .append(roff(row[1]))
                .append('\n'));
        return page.toString();
    }

    private static String roff(String text) {
        String safe = text.replace("\\", "\\e").replace("-", "\\-");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }

    private static String synopsis(CommandSpec command) {
        StringBuilder line = new StringBuilder(command.qualifiedName());
        command.positionalParameters().forEach(p -> line.append(' ').append(p.paramLabel()));
        if (!command.subcommands().isEmpty()) {
            line.append(" COMMAND");
        }
        return line.toString();
    }

    private static String description(CommandSpec command) {
        return String.join(" ", command.usageMessage().description()).strip();
    }

    private static List<String[]> rows(CommandSpec command) {
        List<String[]> rows = new ArrayList<>();
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            rows.add(new String[] {parameter.paramLabel(), joined(parameter.description())});
        }
        for (OptionSpec option : command.options()) {
            if (!option.usageHelp() && !option.hidden()) {
                String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
                rows.add(new String[] {
                    String.format(Locale.ROOT, "%s%s", String.join(", ", option.names()), label),
                    joined(option.description())
                });
            }
        }
        return rows;
    }

    private static String joined(String[] lines) {
        return String.join(" ", Arrays.asList(lines));
    }
}
