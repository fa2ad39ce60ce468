package dev.ron.bench;

import dev.ron.bench.side.Comparison;
import dev.ron.bench.side.Java;
import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Scratch;
import dev.ron.bench.side.Server;
import dev.ron.bench.side.Wrk;
import java.nio.file.Path;
import java.util.List;

/** {@code ron bench host}: 100 bytes from an event loop and from a virtual thread, beside nginx's {@code return 200}. */
public final class HostBench {
    private static final int NGINX_PORT = 28_701;
    private static final int RON_PORT = 28_702;
    private static final double LOOP_MUST = 0.75;
    private static final double BLOCKING_MUST = 0.40;

    private HostBench() {}

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        boolean quick = flags.contains("--quick");
        Path work = Scratch.folder("ron-bench");
        String body = HostServer.BODY;
        String http = "server { listen 127.0.0.1:" + NGINX_PORT + "; location / { return 200 '" + body + "'; } }";
        try (Server nginx = Server.nginx("nginx", 0, NGINX_PORT, work.resolve("nginx"), http);
                Server ron = Server.start("ron", 0, RON_PORT, work.resolve("ron.log"), java())) {
            Comparison table = new Comparison(
                            "100-byte answer, 64 connections", new Wrk(1, 64, quick ? 3 : 8, List.of()), System.out)
                    .add("nginx return 200", nginx.url("/"))
                    .add("ron, event loop", ron.url("/loop"))
                    .add("ron, blocking handler", ron.url("/blocking"))
                    .run(quick ? 5 : 20, quick ? 3 : 5);
            System.out.println(table.table());
            System.exit(new Scorecard("host", flags, "servers on core 0, wrk -t1 -c64 on core 1; every guard on")
                    .ratio("event loop", table, "ron, event loop", LOOP_MUST)
                    .ratio("blocking handler", table, "ron, blocking handler", BLOCKING_MUST)
                    .finish());
        }
    }

    private static List<String> java() {
        List<String> command = Java.command("-XX:ActiveProcessorCount=1");
        command.addAll(List.of(HostServer.class.getName(), String.valueOf(RON_PORT), "1"));
        return command;
    }
}
