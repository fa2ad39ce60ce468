package dev.ron.node.cli;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.meter.Meter;
import dev.ron.node.Node;
import dev.ron.node.NodeSections;
import dev.ron.node.Signals;
import dev.ron.node.data.DataFolder;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code ron warm}: starts a node in a folder that goes with it, twice, asks it what people ask, and stops.
 *
 * <p>The launcher runs it once after a build to see which classes a start needs, and keeps them in an AOT cache. Most starts
 * find what an earlier one left, so the second of the two is the one to learn from.
 */
@Command(name = "warm", hidden = true, description = "Run a node for a moment.")
final class WarmCommand implements Callable<Integer> {
    private static final int STARTS = 2;
    private static final List<String> EVERYWHERE = List.of("/healthz", "/readyz");
    private static final List<String> OPS = List.of("/metrics", "/version", "/api/v1/status");

    @Override
    public Integer call() throws Exception {
        Signals signals = Signals.install();
        Path folder = Files.createTempDirectory("ron-warm");
        try {
            for (int i = 0; i < STARTS; i++) {
                start(folder, signals);
            }
        } finally {
            DataFolder.delete(folder);
        }
        return 0;
    }

    private static void start(Path folder, Signals signals) throws Exception {
        Sources sources = Sources.none()
                .withFlag("warm", "node.data", folder.toString())
                .withFlag("warm", "node.port_base", "0")
                .withFlag("warm", "node.log.level", "error");
        if (!(ConfigLoader.load(NodeSections.ALL, sources) instanceof ConfigResult.Loaded(Config config))) {
            throw new IllegalStateException("the defaults do not load");
        }
        Logs logs = Logs.install(LogFormat.TEXT, "error", System.err);
        try (Node node = UpCommand.start(config, sources, true, logs)) {
            node.obey(signals);
            Banner banner = new Banner(node, true);
            new PrintWriter(Writer.nullWriter()).print(banner + banner.whatToDo()); // as a start tells it
            ask(node.ports());
        }
    }

    private static void ask(Map<String, Integer> ports) {
        try (EventLoops loops = new EventLoops("warm", 1);
                HttpClient client = new HttpClient(
                        loops,
                        (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
                        ClientTls.publicRoots(),
                        ClientOptions.defaults(),
                        Meter.none())) {
            ports.values().forEach(port -> EVERYWHERE.forEach(path -> client.send(get(port, path))));
            Integer ops = ports.get("ops");
            if (ops != null) {
                OPS.forEach(path -> client.send(get(ops, path)));
            }
        }
    }

    private static ClientRequest get(int port, String path) {
        return ClientRequest.get("http://127.0.0.1:" + port + path);
    }
}
