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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
    private record Scene(String title, String path, int connections, double must, List<String> steps, String field) {
        Load asking(int seconds) {
            return new Asker(LOAD_CORE, connections, seconds, steps, field.isEmpty() ? List.of() : List.of(field));
        }

        /** The same with wrk. */
        Load wrk(int seconds, Path script) {
            List<String> more = steps.size() > 1
                    ? List.of("-s", script.toString())
                    : field.isEmpty() ? List.of() : List.of("-H", field);
            return new Wrk(LOAD_CORE, connections, seconds, more);
        }
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
        BenchPack.write(packs.resolve("bench.pmtiles"), files.resolve("edge/tiles/bench"), true, zoom, 6000);
        List<String> walk = walk(zoom);
        Path script = script(walk);
        List<String> once = List.of("");
        List<Scene> scenes = List.of(
                new Scene("warm 16 KiB, 64 connections", "/edge/assets/16k.bin", 64, 1.0, once, ""),
                new Scene("warm 1 MiB, 64 connections", "/edge/assets/1m.bin", 64, 1.0, once, ""),
                new Scene("tile walk over zooms, 64 connections", "/edge/tiles/bench", 64, 0.8, walk, ""),
                new Scene("304, 64 connections", "/edge/assets/16k.bin", 64, 1.0, once, "If-None-Match: *"),
                new Scene("warm 16 KiB, 500 connections", "/edge/assets/16k.bin", 500, 1.0, once, ""));
        try (Server nginx = nginx(files);
                Server ron = Server.start("ron", SERVER_CORE, EDGE, work.resolve("ron.log"), ron(packs, assets));
                Peers others = new Peers(work, peers, SERVER_CORE, NGINX, VARNISH, TILESERVER)) {
            for (Scene scene : scenes) {
                Comparison table = new Comparison(scene.title(), scene.asking(SECONDS), System.out)
                        .add("nginx", nginx.url(scene.path()))
                        .add(RON_NAME, ron.url(scene.path()));
                Optional<Server> varnish = others.varnish();
                varnish.ifPresent(server -> table.add("Varnish", server.url(scene.path())));
                Optional<Server> tileServer =
                        scene.steps().size() > 1 ? others.tileServer(packs.resolve("bench.pmtiles")) : Optional.empty();
                tileServer.ifPresent(server -> table.add(server.name(), server.url("/data/bench")));
                requireSame(scene, nginx, ron);
                table.run(quick ? 4 : 20, quick ? 7 : ROUNDS);
                System.out.println(table.table() + cpu(scene, nginx, ron));
                System.out.println(withWrk(scene, script, nginx, ron).table());
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
    private static void requireSame(Scene scene, Server one, Server other) throws IOException {
        String path = scene.path() + scene.steps().getFirst();
        try (InputStream a = URI.create(one.url(path)).toURL().openStream();
                InputStream b = URI.create(other.url(path)).toURL().openStream()) {
            if (!Arrays.equals(a.readAllBytes(), b.readAllBytes())) {
                throw new IOException(path + " differs between " + one.name() + " and " + other.name());
            }
        }
    }

    /** What the tool says that is known best, though it may be what the servers wait for. */
    private Comparison withWrk(Scene scene, Path script, Server nginx, Server ron)
            throws IOException, InterruptedException {
        return new Comparison(scene.title() + ", with wrk", scene.wrk(SECONDS, script), System.out)
                .add("nginx", nginx.url(scene.path()))
                .add(RON_NAME, ron.url(scene.path()))
                .run(1, quick ? 3 : 9);
    }

    /** CPU time per request stands noise better than a rate. */
    private static String cpu(Scene scene, Server nginx, Server ron) throws IOException, InterruptedException {
        return String.format(
                Locale.ROOT,
                "CPU per request: nginx %.1f us, ron %.1f us%n",
                cpuMicros(scene, nginx),
                cpuMicros(scene, ron));
    }

    private static double cpuMicros(Scene scene, Server server) throws IOException, InterruptedException {
        long before = ticks(server);
        Load.Result result = scene.asking(SECONDS_FOR_CPU).run(server.url(scene.path()));
        return (ticks(server) - before) * 10_000.0 / (result.perSecond() * SECONDS_FOR_CPU);
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
        Thread.sleep(2500); // the folder is looked at once a second
        new Asker(LOAD_CORE, 64, quick ? 4 : 20, walk(zoom), List.of()).run(ron.url("/edge/tiles/large"));
        String pack = "a pack of " + bytes / MIB + " MiB: ";
        card.atMost(pack + "opened, first tile read", mount, "ms", 300);
        card.atMost(pack + "resident after a walk over it", ron.residentMib(), "MiB", 300);
    }

    /** Steps to a neighbour, one zoom in or one out: what a person does who moves a map. */
    private static List<String> walk(int maxZoom) {
        Random random = new Random(42);
        List<String> steps = new ArrayList<>(STEPS);
        int z = 3;
        int x = 2;
        int y = 2;
        while (steps.size() < STEPS) {
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
            steps.add("/" + z + "/" + x + "/" + y + ".png");
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
