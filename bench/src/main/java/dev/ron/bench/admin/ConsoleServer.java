package dev.ron.bench.admin;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminService;
import dev.ron.admin.Setup;
import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.time.Clock;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.util.List;
import java.util.Optional;

/** The console alone in its process, with as many nodes as asked for: one address of loopback each, one port for all. */
public final class ConsoleServer {
    private ConsoleServer() {}

    static String address(int node) {
        return "127.1." + (node / 250 + 1) + "." + (node % 250 + 1);
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        int nodes = Integer.parseInt(args[1]);
        Sources sources = Sources.none();
        for (int i = 0; i < nodes; i++) {
            sources = sources.withSet("admin.nodes.n" + i + ".base_url=http://" + address(i) + ":" + port);
        }
        Sources all = sources;
        ConfigResult result = load(all);
        if (!(result instanceof ConfigResult.Loaded(Config config))) {
            throw new IllegalStateException(result.toString());
        }
        Logs logs = Logs.install(LogFormat.JSON, "warn", System.err);
        Frame frame = Frame.open(FrameSettings.defaults(), Clock.system(), config, () -> load(all), logs);
        AdminService service = new AdminService(
                new EventLoops("data", 1),
                new EventLoops("calls", 1),
                new Setup(
                        "127.0.0.1",
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Secret.of("none"),
                        Optional::empty,
                        "",
                        () -> frame.reloader().request("console")));
        frame.start(List.of(service));
        System.out.println("listening on " + service.port());
        Thread.currentThread().join();
    }

    private static ConfigResult load(Sources sources) {
        return ConfigLoader.load(List.of(Section.of("admin", AdminConfig.class)), sources);
    }
}
