package dev.ron.bench.edge;

import dev.ron.bench.side.Server;
import dev.ron.http.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * npm's http-cache-tests against nginx, Varnish and the edge; {@code ron bench edge --cache-tests}.
 *
 * <p>The suite speaks to a cache that passes everything on. The edge passes nothing on, by design, so a small script stands
 * on both sides of it and the suite judges what is left: when a stored answer is used, asked about or fetched anew.
 */
final class CacheTests {
    private static final int ORIGIN = 28_751;
    private static final int NGINX = 28_752;
    private static final int VARNISH = 28_753;
    private static final int FRONT = 28_754;
    private static final int BACK = 28_755;
    private static final int RON = 28_760;
    private static final int CORE = 0;
    private static final StrictJson JSON = new StrictJson();

    private final Path work;
    private final Path suite;
    private final Path script;

    /** One test's result. */
    private record Result(String group, String id, String kind, boolean good, String why) {}

    CacheTests(Path work) throws IOException, InterruptedException {
        this.work = Files.createDirectories(work.resolve("cache-tests"));
        this.suite = this.work.resolve("node_modules/http-cache-tests");
        this.script = this.work.resolve("cache-tests.mjs");
        try (InputStream in = Objects.requireNonNull(CacheTests.class.getResourceAsStream("cache-tests.mjs"))) {
            Files.write(script, in.readAllBytes());
        }
        run("npm", "install", "--no-audit", "--no-fund", "http-cache-tests@0.4.5");
        run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=DNS:localhost",
                "-keyout",
                "key.pem",
                "-out",
                "cert.pem");
    }

    private void run(String... command) throws IOException, InterruptedException {
        Path log = work.resolve(command[0] + ".log");
        Process process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(command[0] + " failed: " + Files.readString(log));
        }
    }

    /** Runs them all; {@code java} starts our node with a configuration. */
    String table(EdgeBench.Launch java) throws IOException, InterruptedException {
        Map<String, List<Result>> results = new LinkedHashMap<>();
        try (Server _ = start(
                        "origin",
                        ORIGIN,
                        "env",
                        "npm_config_protocol=http",
                        "npm_config_port=" + ORIGIN,
                        "npm_config_pidfile=" + work.resolve("origin.pid"),
                        "node",
                        suite.resolve("server/server.mjs").toString());
                Server nginx = Server.nginx("nginx", CORE, NGINX, work.resolve("nginx"), """
                        proxy_cache_path %s keys_zone=all:8m;
                        server { listen 127.0.0.1:%d;
                          location / { proxy_pass http://127.0.0.1:%d; proxy_cache all; proxy_cache_revalidate on; } }
                        """.formatted(
                                work.resolve("nginx-cache"), NGINX, ORIGIN))) {
            results.put("nginx", judge(nginx));
            if (Files.isExecutable(Path.of("/usr/sbin/varnishd"))) {
                try (Server varnish = start(
                        "varnish",
                        VARNISH,
                        "/usr/sbin/varnishd",
                        "-F",
                        "-n",
                        work.resolve("varnish").toString(),
                        "-a",
                        "127.0.0.1:" + VARNISH,
                        "-b",
                        "127.0.0.1:" + ORIGIN)) {
                    results.put("Varnish", judge(varnish));
                }
            } else {
                System.out.println("skipped: Varnish is not here (apt-get install varnish)");
            }
            try (Server _ = Server.start("ron", CORE, RON + 1, work.resolve("ron.log"), java.command(config()));
                    Server front = start(
                            "between",
                            FRONT,
                            "node",
                            script.toString(),
                            "between",
                            suite.toString(),
                            String.valueOf(FRONT),
                            String.valueOf(BACK),
                            "http://127.0.0.1:" + ORIGIN,
                            "http://127.0.0.1:" + (RON + 1),
                            work.resolve("key.pem").toString(),
                            work.resolve("cert.pem").toString())) {
                results.put("ron edge", judge(front));
            }
        }
        return text(results);
    }

    private Server start(String name, int port, String... command) throws IOException, InterruptedException {
        return Server.start(name, CORE, port, work.resolve(name + ".log"), List.of(command));
    }

    private Path config() throws IOException {
        return Files.writeString(work.resolve("ron.toml"), """
                [node]
                profile = "micro"
                port_base = %1$d
                services = ["edge"]
                [node.log]
                level = "warn"
                [edge]
                allow = ["localhost:%2$d"]
                [edge.routes.t]
                prefix = "t/"
                base = "https://localhost:%2$d/"
                [edge.ingress]
                rps_limit = 100000
                [edge.live_fill]
                ca_file = "%3$s"
                private_nets = ["127.0.0.0/8", "::1/128"]
                etag = "ignore"
                min_ttl_secs = 0
                default_ttl_secs = 0
                negative_ttl_secs = 0
                rps = 100000
                burst = 100000
                """.formatted(RON, BACK, work.resolve("cert.pem")));
    }

    private List<Result> judge(Server cache) throws IOException, InterruptedException {
        Path said = work.resolve(cache.name() + ".results");
        Process process = new ProcessBuilder(
                        "node", "--no-warnings", script.toString(), "run", suite.toString(), cache.url(""))
                .redirectError(work.resolve(cache.name() + ".errors").toFile())
                .redirectOutput(said.toFile())
                .start();
        if (!process.waitFor(10, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        List<Result> results = new ArrayList<>();
        for (String line : Files.readAllLines(said)) {
            if (line.startsWith("{")) {
                JsonNode one = JSON.tree(line.getBytes(StandardCharsets.UTF_8));
                results.add(new Result(
                        one.path("group").asString(),
                        one.path("id").asString(),
                        one.path("kind").asString(),
                        one.path("good").asBoolean(),
                        one.path("why").asString()));
            }
        }
        return results;
    }

    private static String text(Map<String, List<Result>> results) {
        StringBuilder text = new StringBuilder("http-cache-tests 0.4.5\n\n| tests |");
        results.keySet().forEach(name -> text.append(' ').append(name).append(" |"));
        text.append("\n| --- |").append(" --- |".repeat(results.size())).append('\n');
        for (String kind : List.of("required", "optimal", "check")) {
            text.append("| ").append(kind).append(" |");
            for (List<Result> of : results.values()) {
                List<Result> these =
                        of.stream().filter(one -> one.kind().equals(kind)).toList();
                long good = these.stream().filter(Result::good).count();
                text.append(String.format(Locale.ROOT, " %d of %d |", good, these.size()));
            }
            text.append('\n');
        }
        text.append("\nrequired, and not so at the edge:\n");
        results.getOrDefault("ron edge", List.of()).stream()
                .filter(one -> !one.good() && one.kind().equals("required"))
                .forEach(one -> text.append("- ")
                        .append(one.group())
                        .append(", ")
                        .append(one.id())
                        .append(": ")
                        .append(one.why())
                        .append('\n'));
        return text.toString();
    }
}
