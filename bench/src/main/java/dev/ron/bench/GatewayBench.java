package dev.ron.bench;

import dev.ron.bench.side.Comparison;
import dev.ron.bench.side.Crowd;
import dev.ron.bench.side.Java;
import dev.ron.bench.side.Load;
import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Scratch;
import dev.ron.bench.side.Server;
import dev.ron.bench.side.Wrk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ron bench gateway}: a whole node with every guard on, beside nginx and HAProxy, in front of the same backend.
 *
 * <p>The proxies have core 0; wrk and the backend share core 1.
 */
public final class GatewayBench {
    private static final int BACKEND = 28_710;
    private static final int NGINX = 28_711;
    private static final int HAPROXY = 28_712;
    private static final int SPRING = 28_713;
    private static final int RON = 28_720;
    private static final int PROXY_CORE = 0;
    private static final int LOAD_CORE = 1;

    private static final int CROWD = 2_000;

    private final List<String> flags;
    private final boolean quick;
    private final Path work;

    private GatewayBench(List<String> flags, Path work) {
        this.flags = flags;
        this.quick = flags.contains("--quick");
        this.work = work;
    }

    /** What is asked for, and what we must reach under it as a part of nginx's rate. */
    private record Scene(String title, String path, double must, List<String> more) {}

    public static void main(String[] args) throws Exception {
        System.exit(new GatewayBench(List.of(args), Scratch.folder("ron-bench")).run());
    }

    private int run() throws IOException, InterruptedException {
        Path post = Files.writeString(work.resolve("post.lua"), """
                wrk.method = "POST"
                wrk.body = string.rep("x", 4096)
                """);
        List<Scene> scenes = List.of(
                new Scene("1 KiB GET, 64 connections", "/1k", 0.75, List.of()),
                new Scene("64 KiB GET, 64 connections", "/64k", 1.2, List.of()),
                new Scene("4 KiB POST, 64 connections", "/post", 0.8, List.of("-s", post.toString())));
        Scorecard card =
                new Scorecard("gateway", flags, "proxies on core 0, wrk -t1 -c64 and the backend (nginx) on core 1");
        try (Server backend = backend();
                Server nginx = Server.nginxProxy(PROXY_CORE, NGINX, work.resolve("nginx"), BACKEND);
                Server haproxy = Server.haproxy(PROXY_CORE, HAPROXY, work, BACKEND, "");
                Server ron = Server.start("ron", PROXY_CORE, RON, work.resolve("ron.log"), ron())) {
            System.out.println("backend: " + backend.url("/"));
            List<Server> peers = flags.contains("--peers") ? List.of(springCloudGateway()) : List.of();
            double small = 0;
            for (Scene scene : scenes) {
                Comparison table = new Comparison(scene.title(), wrk(scene.more()), System.out)
                        .add("nginx", nginx.url(scene.path()))
                        .add("HAProxy", haproxy.url(scene.path()))
                        .add("ron", ron.url(scene.path()));
                peers.forEach(peer -> table.add(peer.name(), peer.url(scene.path())));
                table.run(quick ? 5 : 20, quick ? 3 : 5);
                System.out.println(table.table());
                card.ratio(scene.title(), table, "ron", scene.must());
                small = scene.path().equals("/1k") ? table.rate("ron") : small;
            }
            Load.Result refused = wrk(List.of()).run(ron.url("/limited"));
            card.atLeast("429 answers, by the rate of proxied 1 KiB", refused.perSecond() / small, "x", 1.5);
            peers.forEach(Server::close);
            try (Crowd crowd = new Crowd(RON, CROWD)) {
                crowd.ask("/1k");
                card.atMost("resident with 2,000 connections", ron.residentMib(), "MiB", 300);
            }
        }
        return card.finish();
    }

    private Wrk wrk(List<String> more) {
        return new Wrk(LOAD_CORE, 64, quick ? 3 : 8, more);
    }

    private Server backend() throws IOException, InterruptedException {
        Path files = Files.createDirectories(work.resolve("files"));
        Files.writeString(files.resolve("1k"), "0123456789abcdef".repeat(64));
        Files.writeString(files.resolve("64k"), "0123456789abcdef".repeat(4096));
        return Server.nginx("backend", LOAD_CORE, BACKEND, work.resolve("backend"), """
                server {
                  listen 127.0.0.1:%d;
                  root %s;
                  location /post { return 200 "ok"; }
                }
                """.formatted(BACKEND, files));
    }

    /** Built here, because it needs downloads of its own. */
    private Server springCloudGateway() throws IOException, InterruptedException {
        Path project = Path.of("bench", "peers", "spring-cloud-gateway");
        int built = new ProcessBuilder("mvn", "-B", "-q", "package")
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("peer-build.log").toFile())
                .start()
                .waitFor();
        if (built != 0) {
            throw new IOException("the peer was not built: " + Files.readString(work.resolve("peer-build.log")));
        }
        List<String> command = new ArrayList<>(Java.command(
                "-XX:ActiveProcessorCount=1", "-Dbackend=http://127.0.0.1:" + BACKEND, "-Dserver.port=" + SPRING));
        // The class path of the bench is the last thing named; the peer has one of its own.
        command.removeLast();
        command.removeLast();
        command.addAll(List.of("-jar", project.resolve("target/peer.jar").toString()));
        return Server.start("Spring Cloud Gateway", PROXY_CORE, SPRING, work.resolve("peer.log"), command);
    }

    private List<String> ron() throws IOException {
        Path config = Files.writeString(work.resolve("ron.toml"), """
                [node]
                profile = "micro"
                port_base = %d
                [node.log]
                level = "warn"
                [gateway]
                max_conns_per_source = 2048
                [gateway.routes.limited]
                auth = "none"
                path = "/limited"
                upstream = "backend"
                rate_limit_rps = 1
                rate_limit_key = "ip"
                [gateway.routes.all]
                auth = "none"
                path = "/**"
                methods = ["GET", "HEAD", "POST"]
                upstream = "backend"
                [[gateway.upstreams.backend.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(RON, BACKEND));
        return Java.node("gateway", config);
    }
}
