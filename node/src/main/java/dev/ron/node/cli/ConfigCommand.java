package dev.ron.node.cli;

import dev.ron.node.NodeSections;
import dev.ron.service.config.ConfigSchema;
import dev.ron.service.config.ConfigValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ron config}: what the node would run with. */
@Command(
        name = "config",
        description = "Show the configuration or its schema.",
        subcommands = {ConfigCommand.Show.class, ConfigCommand.Schema.class})
final class ConfigCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "ron config: show or schema?");
    }

    /** Every key with its value and where it came from. */
    @Command(name = "show", description = "Show every key, its value and where it came from; secrets are hidden.")
    static final class Show implements Runnable {
        @Mixin
        ConfigOptions options;

        @Option(names = "--json", description = "print JSON")
        boolean json;

        @Spec
        CommandSpec spec;

        @Override
        public void run() {
            List<ConfigValue> values = options.load().values();
            if (json) {
                List<Map<String, String>> rows =
                        values.stream().map(Show::asMap).toList();
                Json.print(spec.commandLine().getOut(), rows);
                return;
            }
            Table table = new Table().row("KEY", "VALUE", "FROM");
            values.forEach(v -> table.row(v.key(), v.text(), v.origin().toString()));
            spec.commandLine().getOut().print(table);
        }

        private static Map<String, String> asMap(ConfigValue value) {
            Map<String, String> map = new LinkedHashMap<>();
            map.put("key", value.key());
            map.put("value", value.text());
            map.put("from", value.origin().toString());
            return map;
        }
    }

    /** The JSON Schema of {@code ron.toml}. */
    @Command(name = "schema", description = "Print the JSON Schema of ron.toml.")
    static final class Schema implements Runnable {
        @Spec
        CommandSpec spec;

        @Override
        public void run() {
            spec.commandLine().getOut().println(ConfigSchema.json(NodeSections.ALL));
        }
    }
}
