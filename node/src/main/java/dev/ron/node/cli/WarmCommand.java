package dev.ron.node.cli;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.node.Node;
import dev.ron.node.NodeSections;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code ron warm}: starts a node in RAM, asks it what people ask, and stops.
 *
 * <p>The launcher runs it once after a build to see which classes a start needs, and keeps them in an AOT cache.
 */
@Command(name = "warm", hidden = true, description = "Run a node in RAM for a moment.")
final class WarmCommand implements Callable<Integer> {
    private static final List<String> EVERYWHERE = List.of("/healthz", "/readyz");
    private static final List<String> OPS = List.of("/metrics", "/version", "/api/v1/status");

    @Override
    public Integer call() throws Exception {
        Sources sources = Sources.none()
                .withFlag("warm", "node.profile", "micro")
                .withFlag("warm", "node.port_base", "0")
                .withFlag("warm", "node.log.level", "error");
        if (!(ConfigLoader.load(NodeSections.ALL, sources) instanceof ConfigResult.Loaded(Config config))) {
            throw new IllegalStateException("the defaults do not load");
        }
        Logs logs = Logs.install(LogFormat.TEXT, "error", System.err);
        try (Node node =
                Node.start(config, () -> ConfigLoader.load(NodeSections.ALL, sources), true, Clock.system(), logs)) {
            ask(node.ports());
        }
        return 0;
    }

    private static void ask(Map<String, Integer> ports) {
        try (EventLoops loops = new EventLoops("warm", 1);
                HttpClient client = new HttpClient(
                        loops,
                        (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
                        ClientTls.publicRoots(TlsOptions.defaults()),
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
