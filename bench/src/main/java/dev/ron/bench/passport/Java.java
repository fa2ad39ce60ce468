package dev.ron.bench.passport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of another JVM with our class path, set up as the launcher would. */
final class Java {
    private Java() {}

    static List<String> command(String... more) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(System.getProperty("ron.bench.jvm", "-XX:+UseSerialGC -Xms256m -Xmx256m")
                .split(" +")));
        command.addAll(List.of(more));
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
}
