package dev.ron.bench;

import dev.ron.bench.side.Comparison;
import dev.ron.bench.side.Machine;
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
    private static final int RON = 28_720;
    private static final int PROXY_CORE = 0;
    private static final int LOAD_CORE = 1;

    private final boolean quick;
    private final Path work;

    private GatewayBench(boolean quick, Path work) {
        this.quick = quick;
        this.work = work;
    }

    /** A load, and what we must reach under it as a part of nginx's rate. */
    private record Load(String title, String path, double must, List<String> more) {}

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        boolean good = new GatewayBench(flags.contains("--quick"), Files.createTempDirectory("ron-bench")).run();
        System.exit(!good && flags.contains("--gate") ? 1 : 0);
    }

    private boolean run() throws IOException, InterruptedException {
        Path post = Files.writeString(work.resolve("post.lua"), """
                wrk.method = "POST"
                wrk.body = string.rep("x", 4096)
                """);
        List<Load> loads = List.of(
                new Load("proxied 1 KiB GET, 64 connections", "/1k", 0.75, List.of()),
                new Load("proxied 64 KiB GET, 64 connections", "/64k", 1.2, List.of()),
                new Load("proxied 4 KiB POST, 64 connections", "/post", 0.8, List.of("-s", post.toString())));
        boolean good = true;
        List<String> tables = new ArrayList<>();
        try (Server backend = backend();
                Server nginx = nginx();
                Server haproxy = haproxy();
                Server ron = Server.start("ron", PROXY_CORE, RON, work.resolve("ron.log"), ron())) {
            System.out.println("backend: " + backend.url("/"));
            for (Load load : loads) {
                Comparison table = new Comparison(
                                load.title(), new Wrk(LOAD_CORE, 64, quick ? 3 : 8, load.more()), System.out)
                        .add("nginx proxy_pass", nginx.url(load.path()))
                        .add("HAProxy", haproxy.url(load.path()))
                        .add("ron gateway", ron.url(load.path()))
                        .run(quick ? 5 : 20, quick ? 3 : 5);
                boolean reached = table.ratio("ron gateway") >= load.must();
                good &= reached;
                tables.add(table.table()
                        + String.format(
                                "must: >= %.2f of nginx: %s%n", load.must(), reached ? "reached" : "NOT reached"));
            }
        }
        System.out.println();
        System.out.println(Machine.describe());
        System.out.println("proxies on core 0, wrk -t1 -c64 and the backend (nginx) on core 1\n");
        tables.forEach(System.out::println);
        return good;
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

    private Server nginx() throws IOException, InterruptedException {
        return Server.nginx("nginx", PROXY_CORE, NGINX, work.resolve("nginx"), """
                upstream backend { server 127.0.0.1:%d; keepalive 64; keepalive_requests 100000000; }
                server {
                  listen 127.0.0.1:%d;
                  location / {
                    proxy_pass http://backend;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                  }
                }
                """.formatted(BACKEND, NGINX));
    }

    private Server haproxy() throws IOException, InterruptedException {
        Path config = Files.writeString(work.resolve("haproxy.cfg"), """
                global
                  nbthread 1
                  maxconn 4096
                defaults
                  mode http
                  timeout connect 5s
                  timeout client 60s
                  timeout server 60s
                  http-reuse always
                frontend front
                  bind 127.0.0.1:%d
                  default_backend back
                backend back
                  server one 127.0.0.1:%d
                """.formatted(HAPROXY, BACKEND));
        return Server.start(
                "haproxy",
                PROXY_CORE,
                HAPROXY,
                work.resolve("haproxy.log"),
                List.of("haproxy", "-db", "-f", config.toString()));
    }

    private List<String> ron() throws IOException {
        Path config = Files.writeString(work.resolve("ron.toml"), """
                [node]
                profile = "micro"
                port_base = %d
                [node.log]
                level = "warn"
                [gateway.routes.all]
                auth = "none"
                path = "/**"
                methods = ["GET", "HEAD", "POST"]
                upstream = "backend"
                [[gateway.upstreams.backend.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(RON, BACKEND));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(System.getProperty("ron.bench.jvm", "-XX:+UseSerialGC -Xms256m -Xmx256m")
                .split(" +")));
        command.addAll(List.of(
                "-XX:ActiveProcessorCount=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dron.locks=count",
                "-Dio.netty.leakDetectionLevel=disabled",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.ron.node.Main",
                "up",
                "--services",
                "gateway",
                "--config",
                config.toString()));
        return command;
    }
}
