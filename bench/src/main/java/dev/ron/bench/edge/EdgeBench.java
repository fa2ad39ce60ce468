package dev.ron.bench.edge;

import dev.ron.bench.side.Comparison;
import dev.ron.bench.side.Java;
import dev.ron.bench.side.Scorecard;
import dev.ron.bench.side.Server;
import dev.ron.bench.side.Wrk;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code ron bench edge}: a whole node beside nginx with the same bytes as files, and Varnish with them in memory.
 *
 * <p>The servers have core 0, wrk has core 1. The rate limit is raised, everything else is on.
 */
public final class EdgeBench {
    private static final int NGINX = 28_731;
    private static final int VARNISH = 28_732;
    private static final int TILESERVER = 28_733;
    private static final int RON = 28_740;
    private static final int EDGE = RON + 1;
    private static final int SERVER_CORE = 0;
    private static final int LOAD_CORE = 1;
    private static final String RON_NAME = "ron edge";
    private static final long MIB = 1 << 20;

    /** Many and short: the machine swings by a quarter within seconds, and a round is a comparison only while it stays. */
    private static final int ROUNDS = 31;

    private static final int SECONDS = 1;
    private static final int SECONDS_FOR_CPU = 6; // in hundredths of a second, so it takes some

    private final boolean quick;
    private final boolean peers;
    private final Path work;
    private final Scorecard card;

    private EdgeBench(List<String> flags, Path work) {
        this.quick = flags.contains("--quick");
        this.peers = flags.contains("--peers");
        this.work = work;
        this.card = new Scorecard("edge", flags, "servers on core 0, wrk -t1 on core 1");
    }

    /** How our node is started with a configuration. */
    @FunctionalInterface
    interface Launch {
        List<String> command(Path config);
    }

    /** A load, and what we must reach under it as a part of nginx's rate. */
    private record Load(String title, String path, int connections, double must, List<String> more) {}

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        Path work = Files.createTempDirectory("ron-bench");
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
        BenchPack.write(packs.resolve("bench.pmtiles"), files.resolve("edge/tiles/bench"), true, zoom, 6000);
        Path walk = Files.writeString(work.resolve("walk.lua"), walk(zoom));
        List<Load> loads = List.of(
                new Load("warm 16 KiB, 64 connections", "/edge/assets/16k.bin", 64, 1.0, List.of()),
                new Load("warm 1 MiB, 64 connections", "/edge/assets/1m.bin", 64, 1.0, List.of()),
                new Load("tile walk over zooms, 64 connections", "", 64, 0.8, List.of("-s", walk.toString())),
                new Load("304, 64 connections", "/edge/assets/16k.bin", 64, 1.0, List.of("-H", "If-None-Match: *")),
                new Load("warm 16 KiB, 500 connections", "/edge/assets/16k.bin", 500, 1.0, List.of()));
        try (Server nginx = nginx(files);
                Server ron = Server.start("ron", SERVER_CORE, EDGE, work.resolve("ron.log"), ron(packs, assets));
                Peers others = new Peers(work, peers, SERVER_CORE, NGINX, VARNISH, TILESERVER)) {
            for (Load load : loads) {
                Wrk wrk = new Wrk(LOAD_CORE, load.connections(), SECONDS, load.more());
                Comparison table = new Comparison(load.title(), wrk, System.out)
                        .add("nginx", nginx.url(load.path()))
                        .add(RON_NAME, ron.url(load.path()));
                Optional<Server> varnish = others.varnish();
                varnish.ifPresent(server -> table.add("Varnish", server.url(load.path())));
                Optional<Server> tileServer =
                        load.path().isEmpty() ? others.tileServer(packs.resolve("bench.pmtiles")) : Optional.empty();
                tileServer.ifPresent(server -> table.add(server.name(), server.url("")));
                requireSame(load, nginx, ron);
                table.run(quick ? 4 : 20, quick ? 7 : ROUNDS);
                System.out.println(table.table() + cpu(load, nginx, ron));
                card.ratio(load.title(), table, RON_NAME, load.must());
                tileServer.ifPresent(server -> card.atLeast(
                        load.title() + ", beside " + server.name(),
                        table.ratio(RON_NAME) / table.ratio(server.name()),
                        "x " + server.name(),
                        10));
                if (load.connections() > 64) {
                    card.atMost(load.title() + ", p99", table.p99(RON_NAME), "ms", 40);
                }
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

    /** Both must give the same bytes, or the rates mean nothing. */
    private static void requireSame(Load load, Server one, Server other) throws IOException {
        String path = load.path().isEmpty() ? "/edge/tiles/bench/3/2/2.png" : load.path();
        try (InputStream a = URI.create(one.url(path)).toURL().openStream();
                InputStream b = URI.create(other.url(path)).toURL().openStream()) {
            if (!Arrays.equals(a.readAllBytes(), b.readAllBytes())) {
                throw new IOException(path + " differs between " + one.name() + " and " + other.name());
            }
        }
    }

    /** CPU time per request stands noise better than a rate. */
    private static String cpu(Load load, Server nginx, Server ron) throws IOException, InterruptedException {
        Wrk wrk = new Wrk(LOAD_CORE, load.connections(), SECONDS_FOR_CPU, load.more());
        return String.format(
                Locale.ROOT,
                "CPU per request: nginx %.1f us, ron %.1f us",
                cpuMicros(wrk, load, nginx),
                cpuMicros(wrk, load, ron));
    }

    private static double cpuMicros(Wrk wrk, Load load, Server server) throws IOException, InterruptedException {
        long before = ticks(server);
        Wrk.Result result = wrk.run(server.url(load.path()));
        return (ticks(server) - before) * 10_000.0 / (result.perSecond() * wrk.seconds());
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
        long bytes = BenchPack.write(half, work, false, zoom, quick ? 6000 : 12_288);
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
        Path walk = Files.writeString(work.resolve("large.lua"), walk(zoom).replace("/bench/", "/large/"));
        Thread.sleep(2500); // the folder is looked at once a second
        new Wrk(LOAD_CORE, 64, quick ? 4 : 20, List.of("-s", walk.toString())).run(ron.url(""));
        String pack = "a pack of " + bytes / MIB + " MiB: ";
        card.atMost(pack + "opened, first tile read", mount, "ms", 300);
        card.atMost(pack + "resident after a walk over it", ron.residentMib(), "MiB", 300);
    }

    /** Steps to a neighbour, one zoom in or one out: what a person does who moves a map. */
    private static String walk(int maxZoom) {
        return """
                math.randomseed(42)
                local z, x, y, max = 3, 2, 2, %d
                request = function()
                  local step = math.random(10)
                  if step == 1 and z < max then z = z + 1; x = x * 2 + math.random(0, 1); y = y * 2 + math.random(0, 1)
                  elseif step == 2 and z > 1 then z = z - 1; x = math.floor(x / 2); y = math.floor(y / 2)
                  else x = (x + math.random(-1, 1)) %% 2^z; y = (y + math.random(-1, 1)) %% 2^z end
                  local root = wrk.port == "%d" and "/data" or "/edge/tiles" -- as the tile server has it
                  return wrk.format("GET", string.format("%%s/bench/%%d/%%d/%%d.png", root, z, x, y))
                end
                """.formatted(maxZoom, TILESERVER);
    }

    private Server nginx(Path files) throws IOException, InterruptedException {
        return Server.nginx("nginx", SERVER_CORE, NGINX, work.resolve("nginx"), """
                tcp_nopush on;
                open_file_cache max=100000 inactive=60s;
                server { listen 127.0.0.1:%d backlog=4096; root %s; }
                """.formatted(NGINX, files));
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
