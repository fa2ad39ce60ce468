package dev.ron.node.cli;

import dev.ron.service.status.BuildInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron version}: what this is and what it runs on. */
@Command(name = "version", description = "Show the version of RON and of the Java that runs it.")
final class VersionCommand implements Runnable {
    @Option(names = "--json", description = "print JSON")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        BuildInfo build = BuildInfo.load();
        if (json) {
            Map<String, String> fields = new LinkedHashMap<>();
            fields.put("version", build.version());
            fields.put("git_sha", build.gitSha());
            fields.put("java", Runtime.version().toString());
            Json.print(spec.commandLine().getOut(), fields);
        } else {
            spec.commandLine()
                    .getOut()
                    .println("ron " + build.version() + " (" + build.gitSha() + "), Java " + Runtime.version());
        }
    }
}
