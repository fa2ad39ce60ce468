package dev.ron.bench.edge;

import dev.ron.bench.side.Asker;
import dev.ron.bench.side.Comparison;
import dev.ron.bench.side.Java;
import dev.ron.bench.side.Load;
import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Scratch;
import dev.ron.bench.side.Server;
import dev.ron.bench.side.Wrk;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * {@code ron bench edge}: a whole node beside nginx with the same bytes as files, and Varnish with them in memory.
 *
 * <p>The servers have core 0, the load has core 1. The rate limit is raised, everything else is on. What must be reached is
 * asked for by a load that no server waits for; what wrk says is printed beside it.
 */
public final class EdgeBench {
    private static final int NGINX = 28_731;
    private static final int NGINX_COPYING = 28_734;
    private static final int NGINX_PUSHING = 28_735;
    private static final int VARNISH = 28_732;
    private static final int TILESERVER = 28_733;
    private static final int RON = 28_740;
    private static final int EDGE = RON + 1;
    private static final int SERVER_CORE = 0;
    private static final int LOAD_CORE = 1;
    private static final String NGINX_NAME = "nginx";
    private static final String RON_NAME = "ron edge";
    private static final long MIB = 1 << 20;

    /** Many and short: the machine swings by a quarter within seconds, and a round is a comparison only while it stays. */
    private static final int ROUNDS = 31;

    private static final int SECONDS = 1;
    private static final int SECONDS_FOR_CPU = 6; // in hundredths of a second, so it takes some
    private static final int STEPS = 50_000;

    private final boolean quick;
    private final boolean peers;
    private final Path work;
    private final Scorecard card;

    private EdgeBench(List<String> flags, Path work) {
        this.quick = flags.contains("--quick");
        this.peers = flags.contains("--peers");
        this.work = work;
        this.card = new Scorecard("edge", flags, "servers on core 0, the load on core 1");
    }

    /** How our node is started with a configuration. */
    @FunctionalInterface
    interface Launch {
        List<String> command(Path config);
    }

    /** What is asked for, and what we must reach as a part of nginx's rate. */
    private record Scene(String title, String path, int connections, double must, List<String> steps, Kind kind) {
        /** Of a server that has this tag for what is asked of it. */
        Load asking(int seconds, String tag) {
            return new Asker(LOAD_CORE, connections, seconds, steps, fields(tag), kind == Kind.KNOWN ? 304 : 200);
        }

        /** The same with wrk. */
        Load wrk(int seconds, String tag, Path script) {
            List<String> more = new ArrayList<>();
            fields(tag).forEach(field -> more.addAll(List.of("-H", field)));
            if (steps.size() > 1) {
                more.addAll(List.of("-s", script.toString()));
            }
            return new Wrk(LOAD_CORE, connections, seconds, more);
        }

        List<String> fields(String tag) {
            return switch (kind) {
                case PLAIN -> List.of();
                case CODED -> List.of("Accept-Encoding: gzip, deflate, br, zstd"); // as browsers do
                case KNOWN -> List.of("If-None-Match: " + tag);
            };
        }
    }

    /** What the requests of a scene say beside the path. */
    private enum Kind {
        PLAIN,
        CODED,
        KNOWN
    }

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        Path work = Scratch.folder("ron-bench");
        if (flags.contains("--cache-tests")) {
            System.out.println(new CacheTests(work).table(EdgeBench::java));
            return;
        }
        System.exit(new EdgeBench(flags, work).run());
    }

    private int run() throws Exception {
        Path files = Files.createDirectories(work.resolve("files"));
        Path packs = Files.createDirectories(work.resolve("packs"));
        Path assets = Files.createDirectories(files.resolve("edge/assets"));
        Files.writeString(assets.resolve("16k.bin"), "0123456789abcdef".repeat(1024));
        Files.writeString(assets.resolve("1m.bin"), "0123456789abcdef".repeat(65_536));
        int zoom = quick ? 5 : 7;
        BenchPack.IMAGES.write(packs.resolve("bench.pmtiles"), files.resolve("edge/tiles/bench"), true, zoom, 6000);
        BenchPack.VECTORS.write(packs.resolve("vector.pmtiles"), files.resolve("edge/tiles/vector"), true, zoom, 6000);
        List<String> images = walk(zoom, STEPS, ".png");
        List<String> vectors = walk(zoom, STEPS, ".mvt");
        List<String> once = List.of("");
        List<Scene> scenes = List.of(
                new Scene("warm 16 KiB, 64 connections", "/edge/assets/16k.bin", 64, 1.0, once, Kind.PLAIN),
                new Scene("warm 1 MiB, 64 connections", "/edge/assets/1m.bin", 64, 1.0, once, Kind.PLAIN),
                new Scene("tile walk over zooms, 64 connections", "/edge/tiles/bench", 64, 0.8, images, Kind.PLAIN),
                new Scene("the same, gzip vector tiles", "/edge/tiles/vector", 64, 0.8, vectors, Kind.CODED),
                new Scene("304, 64 connections", "/edge/assets/16k.bin", 64, 1.0, once, Kind.KNOWN),
                new Scene("warm 16 KiB, 500 connections", "/edge/assets/16k.bin", 500, 1.0, once, Kind.PLAIN));
        try (Server nginx = nginx(files);
                Server ron = Server.start("ron", SERVER_CORE, EDGE, work.resolve("ron.log"), ron(packs, assets));
                Peers others = new Peers(work, peers, SERVER_CORE, NGINX, VARNISH, TILESERVER)) {
            for (Scene scene : scenes) {
                measure(scene, nginx, ron, others, packs.resolve("bench.pmtiles"));
            }
        }
        // A node of its own: the one above has its memory full of what was asked of it.
        try (Server alone = Server.start("ron", SERVER_CORE, EDGE, work.resolve("large.log"), ron(packs, assets))) {
            large(packs, alone);
        }
        int result = card.finish();
        if (peers) {
            System.out.println(new CacheTests(work).table(EdgeBench::java));
        }
        return result;
    }

    private void measure(Scene scene, Server nginx, Server ron, Peers others, Path tiles)
            throws IOException, InterruptedException {
        requireSame(scene, nginx, ron);
        Map<String, String> urls = new LinkedHashMap<>();
        urls.put(NGINX_NAME, nginx.url(scene.path()));
        urls.put(RON_NAME, ron.url(scene.path()));
        // nginx at its best may be nginx set up otherwise: shown beside, not what must be reached.
        boolean large = scene.path().endsWith("/1m.bin");
        urls.put(
                large ? "nginx without tcp_nopush" : "nginx without sendfile",
                "http://127.0.0.1:" + (large ? NGINX_PUSHING : NGINX_COPYING) + scene.path());
        others.varnish().ifPresent(server -> urls.put("Varnish", server.url(scene.path())));
        Optional<Server> tileServer = scene.path().endsWith("/bench") ? others.tileServer(tiles) : Optional.empty();
        tileServer.ifPresent(server -> urls.put(server.name(), server.url("/data/bench")));
        Comparison table = new Comparison(scene.title(), scene.asking(SECONDS, ""), System.out);
        for (Map.Entry<String, String> one : urls.entrySet()) {
            table.add(one.getKey(), one.getValue(), scene.asking(SECONDS, tag(scene, one.getValue())));
        }
        table.run(quick ? 4 : 20, quick ? 7 : ROUNDS);
        System.out.println(table.table() + cpu(scene, nginx, ron));
        System.out.println(withWrk(scene, nginx, ron).table());
        card.ratio(scene.title(), table, RON_NAME, scene.must());
        tileServer.ifPresent(server -> card.atLeast(
                scene.title() + ", beside " + server.name(),
                table.ratio(RON_NAME) / table.ratio(server.name()),
                "x " + server.name(),
                10));
        if (scene.connections() > 64) {
            card.atMost(scene.title() + ", p99", table.p99(RON_NAME), "ms", 40);
        }
    }

    /** What the server calls the bytes, for who has them already. */
    private static String tag(Scene scene, String url) throws IOException {
        if (scene.kind() != Kind.KNOWN) {
            return "";
        }
        return URI.create(url).toURL().openConnection().getHeaderField("ETag");
    }

    /** Both must give the same bytes, or the rates mean nothing. */
    private static void requireSame(Scene scene, Server one, Server other) throws IOException {
        String path = scene.path() + scene.steps().getFirst();
        try (InputStream a = opened(scene, one.url(path));
                InputStream b = opened(scene, other.url(path))) {
            if (!Arrays.equals(a.readAllBytes(), b.readAllBytes())) {
                throw new IOException(path + " differs between " + one.name() + " and " + other.name());
            }
        }
    }

    private static InputStream opened(Scene scene, String url) throws IOException {
        URLConnection connection = URI.create(url).toURL().openConnection();
        if (scene.kind() == Kind.CODED) {
            connection.setRequestProperty("Accept-Encoding", "gzip");
        }
        return connection.getInputStream();
    }

    /** What the tool says that is known best, though it may be what the servers wait for. */
    private Comparison withWrk(Scene scene, Server nginx, Server ron) throws IOException, InterruptedException {
        Path script = script(scene.steps());
        Comparison table = new Comparison(scene.title() + ", with wrk", scene.wrk(SECONDS, "", script), System.out);
        for (Server server : List.of(nginx, ron)) {
            String url = server.url(scene.path());
            table.add(server.name(), url, scene.wrk(SECONDS, tag(scene, url), script));
        }
        return table.run(1, quick ? 3 : 9);
    }

    /** CPU time per request stands noise better than a rate; how busy a core was tells who waited for whom. */
    private static String cpu(Scene scene, Server nginx, Server ron) throws IOException, InterruptedException {
        return "CPU per request: nginx " + cpuMicros(scene, nginx) + ", ron " + cpuMicros(scene, ron) + "\n";
    }

    private static String cpuMicros(Scene scene, Server server) throws IOException, InterruptedException {
        String url = server.url(scene.path());
        Load load = scene.asking(SECONDS_FOR_CPU, tag(scene, url));
        long before = ticks(server);
        double perSecond = load.run(url).perSecond();
        double cores = (ticks(server) - before) / 100.0 / SECONDS_FOR_CPU;
        return String.format(Locale.ROOT, "%.1f us (%.0f %% of its core)", cores * 1e6 / perSecond, 100 * cores);
    }

    /** User and system time of a server and its children, in hundredths of a second. */
    private static long ticks(Server server) throws IOException {
        ProcessHandle root = ProcessHandle.of(server.pid()).orElseThrow();
        long ticks = 0;
        for (ProcessHandle process : java.util.stream.Stream.concat(
                        java.util.stream.Stream.of(root), root.descendants())
                .toList()) {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            ticks += Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
        return ticks;
    }

    /** How long a large pack takes to mount, and how much memory serving it needs. */
    private void large(Path packs, Server ron) throws IOException, InterruptedException {
        int zoom = quick ? 7 : 8;
        Path half = work.resolve("large.pmtiles");
        long bytes = BenchPack.IMAGES.write(half, work, false, zoom, quick ? 6000 : 12_288);
        // A small one first: a server that runs has its classes loaded.
        PmtilesPack.open(packs.resolve("bench.pmtiles"), PmtilesLimits.DEFAULT).close();
        long began = System.nanoTime();
        try (PmtilesPack pack = PmtilesPack.open(half, PmtilesLimits.DEFAULT)) {
            if (pack.tile(new TileCoord(zoom, 3, 5)).isEmpty()) {
                throw new IllegalStateException("the pack has no such tile");
            }
        }
        double mount = (System.nanoTime() - began) / 1e6;
        Files.move(half, packs.resolve("large.pmtiles"));
        Thread.sleep(2500); // the folder is looked at once a second
        List<String> steps = walk(zoom, 10 * STEPS, ".png"); // so many tiles that they do not fit
        new Asker(LOAD_CORE, 64, quick ? 4 : 20, steps, List.of(), 200).run(ron.url("/edge/tiles/large"));
        String pack = "a pack of " + bytes / MIB + " MiB: ";
        card.atMost(pack + "opened, first tile read", mount, "ms", 300);
        card.atMost(pack + "resident after a walk over it", ron.residentMib(), "MiB", 300);
    }

    /** Steps to a neighbour, one zoom in or one out: what a person does who moves a map. */
    private static List<String> walk(int maxZoom, int count, String suffix) {
        Random random = new Random(42);
        List<String> steps = new ArrayList<>(count);
        int z = 3;
        int x = 2;
        int y = 2;
        while (steps.size() < count) {
            int step = random.nextInt(10);
            if (step == 0 && z < maxZoom) {
                z++;
                x = 2 * x + random.nextInt(2);
                y = 2 * y + random.nextInt(2);
            } else if (step == 1 && z > 1) {
                z--;
                x /= 2;
                y /= 2;
            } else {
                int last = (1 << z) - 1;
                x = x + random.nextInt(-1, 2) & last;
                y = y + random.nextInt(-1, 2) & last;
            }
            steps.add("/" + z + "/" + x + "/" + y + suffix);
        }
        return steps;
    }

    /** Has wrk take these steps. */
    private Path script(List<String> steps) throws IOException {
        Path lines = Files.write(work.resolve("walk.txt"), steps);
        return Files.writeString(work.resolve("walk.lua"), """
                local steps, at = {}, 0
                for line in io.lines("%s") do steps[#steps + 1] = line end
                request = function()
                  at = at %% #steps + 1
                  return wrk.format("GET", wrk.path .. steps[at])
                end
                """.formatted(lines));
    }

    private Server nginx(Path files) throws IOException, InterruptedException {
        return Server.nginx("nginx", SERVER_CORE, NGINX, work.resolve("nginx"), """
                tcp_nopush on;
                open_file_cache max=100000 inactive=60s;
                root %s;
                types { application/vnd.mapbox-vector-tile mvt; image/png png; }
                %s %s %s
                """.formatted(
                        files,
                        listening(NGINX, ""),
                        listening(NGINX_COPYING, "sendfile off;"),
                        listening(NGINX_PUSHING, "tcp_nopush off;")));
    }

    private static String listening(int port, String more) {
        return "server { listen 127.0.0.1:%d backlog=4096; %s location /edge/tiles/vector { gzip_static always; } }"
                .formatted(port, more);
    }

    private List<String> ron(Path packs, Path assets) throws IOException {
        Path config = Files.writeString(work.resolve("ron.toml"), """
                [node]
                profile = "micro"
                port_base = %d
                services = ["edge"]
                [node.log]
                level = "warn"
                [edge]
                packs_dir = "%s"
                assets_dir = "%s"
                cache_bytes = "96MiB"
                [edge.ingress]
                rps_limit = 10000000
                """.formatted(RON, packs, assets));
        return java(config);
    }

    private static List<String> java(Path config) {
        // The last of a flag counts: less heap than other benches have, for memory is measured here.
        return Java.node("edge", config, "-Xms64m", "-Xmx80m", "-XX:MaxDirectMemorySize=160m");
    }
}
