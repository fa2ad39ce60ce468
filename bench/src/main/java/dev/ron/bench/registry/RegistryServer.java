package dev.ron.bench.registry;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.PassportConfig;
import dev.ron.passport.PassportService;
import dev.ron.passport.Setup;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.RegistryService;
import dev.ron.registry.RegistryTopology;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.token.keys.Tenants;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A registry on a folder with a log, and a passport office in memory that issues tokens for it. */
public final class RegistryServer {
    private static final List<Section<?>> SECTIONS =
            List.of(Section.of("passport", PassportConfig.class), Section.of("registry", RegistryConfig.class));

    private RegistryServer() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        int port = Integer.parseInt(args[1]);
        long started = System.nanoTime();
        Sources sources = Sources.none()
                .withSet("registry.limits.rps=0")
                .withSet("registry.deadlines.propose=30s")
                .withSet("registry.deadlines.approve=30s")
                .withSet("registry.deadlines.commit=30s")
                .withSet("registry.limits.max_pending_proposals=1000000")
                .withSet("registry.limits.max_pending_per_proposer=1000000")
                .withSet("registry.limits.max_pending_bytes=1GiB")
                .withSet("registry.max_conns=8192")
                .withSet("registry.limits.inflight=4096");
        if (!(ConfigLoader.load(SECTIONS, sources) instanceof ConfigResult.Loaded(var config))) {
            throw new IllegalStateException("the settings above are wrong");
        }
        Clock clock = Clock.system();
        Logs logs = Logs.install(LogFormat.TEXT, "warn", System.err);
        Frame frame =
                Frame.open(FrameSettings.defaults(), clock, config, () -> ConfigLoader.load(SECTIONS, sources), logs);
        EventLoops loops = new EventLoops("data", Runtime.getRuntime().availableProcessors());
        PassportService passport = new PassportService(loops, Setup.of("127.0.0.1", port + 1, Optional.empty(), true));
        RegistryService registry = new RegistryService(
                loops,
                new dev.ron.registry.Setup(
                        "127.0.0.1",
                        port,
                        Optional.of(folder),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        RegistryTopology.COMMITTED,
                        () -> Optional.of(new IssuerSource(
                                passport.issuer(),
                                "http://127.0.0.1:" + passport.port(),
                                () -> Optional.of(passport.ownKey().reveal()),
                                Tenants.ALL))));
        frame.start(List.of(passport, registry));
        System.out.println("up " + (System.nanoTime() - started) / 1_000_000 + " "
                + passport.bootstrapKey().orElseThrow().reveal());
        Thread.currentThread().join();
    }
}
