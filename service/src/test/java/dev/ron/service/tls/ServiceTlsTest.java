package dev.ron.service.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.DrainGrace;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TlsClient;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.service.reload.ReloadOutcome;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A listener with TLS from the configuration, and a certificate that is replaced under it. */
@ExtendWith(NoLeaks.class)
class ServiceTlsTest {
    private static final HostParts HOST = HostParts.of("front", 8);

    @TempDir
    Path folder;

    record FrontConfig(TlsConfig tls) {}

    private static final class Front implements RonService {
        private final EventLoops loops;
        private @Nullable HttpHost host;

        Front(EventLoops loops) {
            this.loops = loops;
        }

        @Override
        public String name() {
            return "front";
        }

        @Override
        public Topology topology() {
            return new Topology("front", "a listener", HOST.parts());
        }

        @Override
        public void start(ServiceContext context) {
            context.kernel().permits(HOST.inflight(), 8);
            Routes routes = new Routes(HostConfig.DEFAULTS)
                    .get("/", (BlockingHandler) request -> Response.text(request.secure() ? "secure" : "open"));
            HttpHost started = HttpHost.builder(context.kernel(), loops, HOST)
                    .tls(ServiceTls.of(
                            context, all -> all.section(FrontConfig.class).tls()))
                    .drainGrace(DrainGrace.NONE)
                    .bind("127.0.0.1", 0, routes.build());
            started.attach(context.shutdown());
            host = started;
        }

        int port() {
            return host == null ? 0 : host.port();
        }
    }

    @Test
    void aReloadTakesANewCertificateAndABadOneChangesNothing() throws Exception {
        TestCa ca = new TestCa(folder);
        TestCa.Pair first = ca.issue("localhost");
        Sources sources = Sources.none()
                .withSet("front.tls.enabled=true")
                .withSet("front.tls.cert_path=" + first.certificates())
                .withSet("front.tls.key_path=" + first.key());
        EventLoops loops = new EventLoops("test", 1);
        Frame frame = open(sources);
        Front front = new Front(loops);
        try {
            frame.start(List.of(front));
            TlsClient client = new TlsClient(ca.roots);
            assertThat(client.get(front.port(), "localhost", "/")).endsWith("secure");
            String before = client.serial();
            assertThat(reload(frame)).isEqualTo(ReloadOutcome.NOOP);

            TestCa.Pair second = ca.issue("localhost");
            Files.copy(second.certificates(), first.certificates(), StandardCopyOption.REPLACE_EXISTING);
            assertThat(reload(frame)).isEqualTo(ReloadOutcome.PREPARE_FAILED);
            client.get(front.port(), "localhost", "/");
            assertThat(client.serial()).isEqualTo(before);

            Files.copy(second.key(), first.key(), StandardCopyOption.REPLACE_EXISTING);
            assertThat(reload(frame)).isEqualTo(ReloadOutcome.APPLIED);
            assertThat(client.get(front.port(), "localhost", "/")).endsWith("secure");
            assertThat(client.serial()).isNotEqualTo(before);
        } finally {
            frame.shutdown().request("test", "done");
            frame.awaitStopped(soon());
            loops.close();
        }
    }

    @Test
    void theDefaultsAreOffAndEveryKeyCanBeSet() {
        assertThat(config(Sources.none())).isEqualTo(TlsConfig.OFF);
        Sources sources = Sources.none();
        for (String set : List.of(
                "enabled=true",
                "cert_path=a",
                "key_path=b",
                "min_version=tls1_2",
                "http2=false",
                "client_ca_path=c",
                "client_auth=optional",
                "handshake_timeout=3s")) {
            sources = sources.withSet("front.tls." + set);
        }
        assertThat(config(sources))
                .isEqualTo(new TlsConfig(
                        true,
                        Path.of("a"),
                        Path.of("b"),
                        java.util.Map.of(),
                        TlsConfig.Version.TLS1_2,
                        false,
                        Optional.of(Path.of("c")),
                        TlsConfig.ClientAuth.OPTIONAL,
                        Duration.ofSeconds(3)));
    }

    private static TlsConfig config(Sources sources) {
        if (load(sources) instanceof ConfigResult.Loaded(Config all)) {
            return all.section(FrontConfig.class).tls();
        }
        throw new AssertionError();
    }

    private static ReloadOutcome reload(Frame frame) {
        return frame.reloader().request("test").await(soon()).outcome();
    }

    private static Frame open(Sources sources) {
        Logs logs = Logs.install(LogFormat.JSON, "error", OutputStream.nullOutputStream());
        FrameSettings settings = new FrameSettings(
                "macro",
                false,
                Backoff.Policy.DEFAULT,
                c -> Duration.ofSeconds(30),
                c -> Duration.ZERO,
                c -> "error",
                Optional.empty());
        if (load(sources) instanceof ConfigResult.Loaded(Config first)) {
            return Frame.open(settings, Clock.system(), first, () -> load(sources), logs);
        }
        throw new AssertionError();
    }

    private static ConfigResult load(Sources sources) {
        return ConfigLoader.load(List.of(Section.of("front", FrontConfig.class)), sources);
    }

    private static Deadline soon() {
        return Deadline.after(Clock.system(), Duration.ofSeconds(30));
    }
}
