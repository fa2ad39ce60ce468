package dev.ron.node.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Help;

/** The commands as {@code ron --help} lists them: by what a person wants to do. */
final class CommandGroups {
    static final Map<String, List<String>> ALL = groups();

    private CommandGroups() {}

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("Begin", List.of("up", "init", "check", "config", "doctor"));
        groups.put("A running node", List.of("status", "top", "why", "reload", "drain", "resume", "stop", "profile"));
        groups.put("Its data, while it is stopped", List.of("backup", "restore", "fsck"));
        groups.put("Tokens, keys and certificates", List.of("token", "client", "keys", "cert"));
        groups.put("What the others hold", List.of("registry", "pack"));
        groups.put("This program", List.of("version", "completion", "man"));
        groups.put("To work on RON itself", List.of("test", "bench", "docs", "package"));
        return groups;
    }

    static String list(Help help) {
        Map<String, Help> commands = help.subcommands();
        StringBuilder text = new StringBuilder();
        ALL.forEach((title, names) -> {
            Table table = new Table();
            names.forEach(name -> Optional.ofNullable(commands.get(name))
                    .ifPresent(command -> table.row("  " + name, description(command))));
            text.append(System.lineSeparator())
                    .append(title)
                    .append(System.lineSeparator())
                    .append(table);
        });
        return text.toString();
    }

    private static String description(Help command) {
        return command.commandSpec().usageMessage().description()[0];
    }
}
