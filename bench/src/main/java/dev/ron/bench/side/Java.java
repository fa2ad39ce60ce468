package dev.ron.bench.side;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of another JVM with our class path, set up as the launcher would. */
public final class Java {
    private Java() {}

    /** Everything up to the main class; {@code flags} come before what is the same for all. */
    public static List<String> command(String... flags) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(System.getProperty("ron.bench.jvm", "-XX:+UseSerialGC -Xms256m -Xmx256m")
                .split(" +")));
        command.addAll(List.of(flags));
        command.addAll(List.of(
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dron.locks=count",
                "-Dio.netty.leakDetectionLevel=disabled",
                "-Djava.library.path=" + System.getProperty("java.library.path", ""),
                "-Dcom.amazon.corretto.crypto.provider.useExternalLib="
                        + System.getProperty("com.amazon.corretto.crypto.provider.useExternalLib", "false"),
                "-Dcom.amazon.corretto.crypto.provider.registerEdKeyFactory=true",
                "-cp",
                System.getProperty("java.class.path")));
        return command;
    }

    /** A node on one core that runs these services. */
    public static List<String> node(String services, Path config, String... flags) {
        List<String> all = new ArrayList<>(List.of("-XX:ActiveProcessorCount=1"));
        all.addAll(List.of(flags));
        List<String> command = command(all.toArray(String[]::new));
        command.addAll(List.of("dev.ron.node.Main", "up", "--services", services, "--config", config.toString()));
        return command;
    }
}
