package dev.ron.edge;

import dev.ron.edge.cas.Cas;
import dev.ron.edge.cas.DiskCas;
import dev.ron.edge.cas.RamCas;
import dev.ron.edge.config.EdgeConfig;
import dev.ron.edge.fill.AssetIndex;
import dev.ron.edge.fill.Errand;
import dev.ron.edge.fill.FillEvent;
import dev.ron.edge.fill.FillJob;
import dev.ron.edge.fill.FillParts;
import dev.ron.edge.fill.Filled;
import dev.ron.edge.fill.Flights;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.PackCheck;
import dev.ron.edge.mount.PackFolder;
import dev.ron.edge.mount.PackOpener;
import dev.ron.edge.pack.mbtiles.MbtilesLimits;
import dev.ron.edge.pack.pmtiles.LeafCache;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.edge.pack.raw.RawFolder;
import dev.ron.edge.page.PageFiles;
import dev.ron.edge.serve.Assets;
import dev.ron.edge.serve.Blobs;
import dev.ron.edge.serve.Bundled;
import dev.ron.edge.serve.Cold;
import dev.ron.edge.serve.Cors;
import dev.ron.edge.serve.Documents;
import dev.ron.edge.serve.FilledObjects;
import dev.ron.edge.serve.FolderFiles;
import dev.ron.edge.serve.Fonts;
import dev.ron.edge.serve.HotCache;
import dev.ron.edge.serve.OpenFiles;
import dev.ron.edge.serve.Packs;
import dev.ron.edge.serve.Room;
import dev.ron.edge.serve.Sender;
import dev.ron.edge.serve.Served;
import dev.ron.edge.serve.Tiles;
import dev.ron.http.guard.RateGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.health.Need;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.tls.ServiceTls;
import io.netty.util.internal.PlatformDependent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** svc-edge on port N+1; {@link #start} is its runtime, part by part. */
public final class EdgeService implements RonService {
    private static final Logger LOG = LoggerFactory.getLogger(EdgeService.class);
    private static final long SOCKETS = 16 << 20; // of what is outside the heap, for what is read and written
    private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS");

    private final EventLoops loops;
    private final Setup setup;
    private @Nullable Running running;

    /** What is there once the service is up. */
    private record Running(HttpHost host, EdgeStatus status, AssetIndex index) {}

    public EdgeService(EventLoops loops, Setup setup) {
        this.loops = loops;
        this.setup = setup;
    }

    @Override
    public String name() {
        return "edge";
    }

    @Override
    public Topology topology() {
        return EdgeTopology.TOPOLOGY;
    }

    @Override
    public void start(ServiceContext context) {
        Kernel kernel = context.kernel();
        Clock clock = context.clock();
        Supplier<EdgeConfig> config = () -> context.config(EdgeConfig.class);
        EdgeConfig first = config.get();

        // limits
        Permits inflight =
                kernel.permits(EdgeTopology.HOST.inflight(), first.ingress().maxInflight());
        TokenBucket rate = new TokenBucket(clock, 1, 1);
        Limits limits = new Limits(context, rate, inflight, setup.demo());
        limits.apply(first);
        kernel.spawn(EdgeTopology.CONFIG_WATCHER, limits::run);

        warnIfMissing("edge.packs_dir", first.packsDir());
        warnIfMissing("edge.assets_dir", first.assetsDir());

        // packs: mounted now, followed from here on, looked through in the background
        Mounts mounts = new Mounts();
        long cacheBytes = cacheBytes(first, PlatformDependent.estimateMaxDirectMemory());
        HotCache cache = new HotCache(cacheBytes);
        Room room = new Room(cacheBytes);
        OpenFiles open = new OpenFiles();
        Lane verify = kernel.lane(EdgeTopology.VERIFY);
        PackCheck check = new PackCheck(
                mounts,
                verify,
                depth(first),
                context.metrics()
                        .timings("edge_pack_verify_seconds", "A look at everything that a pack addresses.")
                        .with(),
                clock,
                () -> !context.shutdown().running());
        Optional<Path> packs = packsDir(first);
        Optional<PackFolder> folder = packs.map(path -> new PackFolder(path, opener(first), mounts, clock));
        PackFollower follower =
                new PackFollower(setup, packs, folder, mounts, check, cache, open, first.packsInterval());
        follower.look();
        kernel.spawn(EdgeTopology.FOLLOWER, follower::run);

        // the store
        Optional<Path> store = casDir(first);
        Cas cas = openCas(store, first, clock);

        // answers
        Lane read = kernel.lane(EdgeTopology.READ);
        Cold cold = new Cold(read, inflight);
        Served served = new Served(context.metrics());
        Sender sender = new Sender(
                first.http().enableMultiRange(),
                first.http().cacheStatus(),
                read,
                room,
                hostConfig(first).timeouts().write(),
                kernel.meter());
        FolderFiles.Parts parts = new FolderFiles.Parts(
                cache, room, open, cold, sender, served, first.maxCachedBytes().count(), clock);
        Supplier<String> cacheControl = () -> config.get().cacheControl();
        Tiles tiles = new Tiles(mounts, cache, room, cold, sender, served, () -> rules(config.get()));
        Documents documents =
                new Documents(mounts, cache, room, cold, sender, findings(check), () -> links(config.get()));
        Packs raw = new Packs(mounts, open, cold, sender, served, cacheControl, clock);
        Blobs blobs = new Blobs(cas, parts, new Cold(kernel.lane(EdgeTopology.CAS_CHECK), inflight));

        // fills: one flight for each missing object, a bounded queue, workers
        Flights<Errand, Filled> flights = new Flights<>();
        Mailbox<FillJob> work = kernel.mailbox(
                EdgeTopology.WORK,
                (job, cause) -> flights.fail(
                        job.errand(),
                        job.flight(),
                        new RonException(Code.DRAINING, "draining", "the service is stopping")));
        Broadcast<FillEvent> events = kernel.broadcast(EdgeTopology.EVENTS);
        kernel.spawn(EdgeTopology.EVENT_LOG, new EventLog(events)::run);
        FillParts.Given given = new FillParts.Given(
                cas,
                store.map(dir -> dir.resolve("index")),
                kernel.lane(EdgeTopology.CAS_COMMIT),
                kernel.lane(EdgeTopology.NAMES),
                work,
                events,
                new FilledObjects(blobs, parts));
        FillParts fill = new FillParts(context, loops, config, given, flights, setup.names());
        for (int i = 0; i < first.workerCount(); i++) {
            kernel.spawn(EdgeTopology.WORKER, fill.worker()::run);
        }
        context.readiness().queue(work, Need.WRITE);
        context.stopWithProcess(new LastCall(fill, () -> config.get().drainDeadline(), clock));
        context.stopWithProcess(new Closing(cas, mounts, cache, open, fill));

        Assets assets = new Assets(raw, fill.routes(), fill.fills(), files(first.assetsDir(), parts, cacheControl));
        Bundled bundled = new Bundled(parts);
        PageFiles page = new PageFiles(bundled);

        // the listener
        HostConfig host = hostConfig(first);
        Routes routes = new Routes(host, new RateGuard(rate, "edge.ingress.rps_limit"));
        serve(routes, "/edge/tiles/{pack}/{z}/{x}/{y}", tiles);
        serve(routes, "/edge/tiles/{pack}/metadata", documents::metadata);
        serve(routes, "/edge/tiles/{pack}", documents::tileJson);
        serve(routes, "/edge/catalog", documents::catalogue);
        serve(routes, "/edge/assets/**", assets);
        serve(routes, "/cas/b3/{digest}", blobs);
        serve(routes, "/cas/blake3/{digest}", blobs);
        for (String kind : List.of("styles", "sprites")) {
            files(packs.map(path -> path.resolve(kind)), parts, cacheControl)
                    .ifPresent(found -> serve(
                            routes,
                            "/edge/" + kind + "/**",
                            exchange -> found.handle(exchange, exchange.params().decodedRest())));
        }
        serve(
                routes,
                "/edge/fonts/{stack}/{range}",
                new Fonts(
                        files(packs.map(path -> path.resolve("fonts")), parts, cacheControl),
                        bundled,
                        PageFiles::glyphs));
        if (first.preview()) {
            serve(routes, "/edge/", page::index);
            serve(routes, "/edge/ui/{file}", page::file);
            Response toPage = Response.of(308, Headers.of("Location", "/edge/"), new byte[0]);
            serve(routes, "/edge", exchange -> exchange.respond(toPage));
            serve(routes, "/", exchange -> exchange.respond(toPage));
        }
        context.addProbes(routes);
        HttpHost started = HttpHost.builder(kernel, loops, EdgeTopology.HOST)
                .config(host)
                .meter(new HttpMetrics(context.metrics()))
                .accessLog(new AccessLines(clock))
                .rejectedFamily("edge_rejects_total")
                .everywhere(first.tls().enabled() && first.http().hsts() ? Cors.WITH_HSTS : Cors.EVERYWHERE)
                .tls(ServiceTls.of(
                        context, next -> next.section(EdgeConfig.class).tls()))
                .bind(setup.bind(), setup.port(), routes.build());
        started.attach(context.shutdown());
        context.listensAt(setup.bind() + ":" + started.port());
        EdgeStatus status = new EdgeStatus(mounts, check, cache, cas, flights, first, context.metrics());
        running = new Running(started, status, fill.index());
        new EdgeHealth(mounts, cache, cas, check).bind(context, started);
    }

    /** As configured, or as much as the process may hold outside the heap. */
    static long cacheBytes(EdgeConfig config, long direct) {
        long wanted = config.cacheBytes().count();
        long most = Room.largestCache(direct - SOCKETS);
        if (wanted > most) {
            LOG.warn(
                    "edge.cache_bytes is {}, but the cache gets {} MiB: the process may hold {} MiB outside the heap;"
                            + " start it with RON_DIRECT={}m for all of it",
                    config.cacheBytes(),
                    most >> 20,
                    direct >> 20,
                    ((new Room(wanted).most() + SOCKETS) >> 20) + 1);
        }
        return Math.min(wanted, most);
    }

    private static void serve(Routes routes, String path, StreamHandler handler) {
        routes.add(METHODS, path, Cors.preflight(handler));
    }

    private Optional<Path> packsDir(EdgeConfig config) {
        if (config.packsDir().isPresent() || !setup.demo()) {
            return config.packsDir();
        }
        return setup.demoPacks().or(() -> setup.folder().map(folder -> folder.resolve("packs")));
    }

    private PackCheck.Depth depth(EdgeConfig config) {
        return switch (config.verify()) {
            case HEADER -> PackCheck.Depth.HEADER;
            case DIRECTORY -> setup.demo() ? PackCheck.Depth.FULL : PackCheck.Depth.DIRECTORY;
            case FULL -> PackCheck.Depth.FULL;
        };
    }

    private static Documents.Findings findings(PackCheck check) {
        return new Documents.Findings() {
            @Override
            public Optional<Documents.PackFacts> of(String name) {
                return check.facts(name)
                        .map(found -> new Documents.PackFacts(found.digest(), found.checked(), found.tiles()));
            }

            @Override
            public long version() {
                return check.version();
            }
        };
    }

    private static PackOpener opener(EdgeConfig config) {
        int maxTile = (int) config.maxTileBytes().count();
        return new PackOpener(
                PmtilesLimits.DEFAULT.withMaxTileBytes(maxTile),
                MbtilesLimits.DEFAULT.withMaxTileBytes(maxTile),
                Optional.of(new LeafCache(config.dirCacheBytes().count())));
    }

    /** The folder of the store; none where nothing is written. */
    private Optional<Path> casDir(EdgeConfig config) {
        return setup.folder().map(folder -> config.cas().dir().orElse(folder.resolve("cas")));
    }

    private static Cas openCas(Optional<Path> dir, EdgeConfig config, Clock clock) {
        return dir.isEmpty()
                ? new RamCas(config.cas().ramMaxBytes().count(), clock)
                : DiskCas.open(dir.get(), config.cas().maxBytes().count(), clock);
    }

    private static Optional<FolderFiles> files(
            Optional<Path> path, FolderFiles.Parts parts, Supplier<String> cacheControl) {
        return path.map(folder -> new FolderFiles(new RawFolder(folder), parts, cacheControl));
    }

    private static void warnIfMissing(String key, Optional<Path> folder) {
        folder.filter(path -> !Files.isDirectory(path))
                .ifPresent(path ->
                        LOG.warn("{} is {}, where there is no folder; it is served once there is one", key, path));
    }

    private static Tiles.Rules rules(EdgeConfig config) {
        return new Tiles.Rules(config.missingTile(), config.cacheControl(), (int)
                config.ingress().decompressAbsBytes().count());
    }

    private static Documents.Links links(EdgeConfig config) {
        return new Documents.Links(config.publicUrl(), config.versionedTiles(), config.cacheControl());
    }

    private static HostConfig hostConfig(EdgeConfig config) {
        EdgeConfig.Ingress ingress = config.ingress();
        Duration timeout = Duration.ofSeconds(ingress.timeoutSecs());
        HostConfig.Timeouts pace = HostConfig.DEFAULTS.timeouts();
        return HostConfig.DEFAULTS
                .withConns(ingress.maxConns(), Math.max(1, ingress.maxConns() / 2))
                .withBody(new HostConfig.BodyLimits(
                        ingress.bodyBytes().count(),
                        ingress.decompressMaxRatio(),
                        ingress.decompressAbsBytes().count()))
                .withTimeouts(new HostConfig.Timeouts(
                        timeout,
                        timeout,
                        Duration.ofSeconds(ingress.idleSecs()),
                        pace.handshake(),
                        pace.minBytesPerSecond(),
                        pace.paceAfter()))
                .withRequestTimeout(timeout);
    }

    @Override
    public Map<String, Object> statusData() {
        Running up = running;
        return up == null ? Map.of() : up.status().data();
    }

    /** For the ops plane, which is up earlier. */
    public AssetIndex index() {
        Running up = running;
        if (up == null) {
            throw new RonException(Code.UNAVAILABLE, "starting", "the edge is not up yet");
        }
        return up.index();
    }

    /** The port in use; 0 before the start. */
    public int port() {
        return running == null ? 0 : running.host().port();
    }

    /** Requests in hand. */
    public int inflight() {
        return running == null ? 0 : running.host().inflight();
    }
}
