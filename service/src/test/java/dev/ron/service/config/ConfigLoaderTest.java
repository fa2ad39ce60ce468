package dev.ron.service.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.service.config.Sample.GatewayConfig;
import dev.ron.service.config.Sample.Mode;
import dev.ron.service.config.Sample.NodeConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
    @TempDir
    Path dir;

    @Test
    void defaultsAreWhatTheRecordSays() {
        GatewayConfig g = loaded(Sources.none()).section(GatewayConfig.class);
        assertThat(g.maxConns()).isEqualTo(512);
        assertThat(g.requestTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(g.maxBodyBytes()).isEqualTo(Bytes.mib(1));
        assertThat(g.shedRatio()).isEqualTo(0.5);
        assertThat(g.bindAddr()).isEqualTo(new HostPort("127.0.0.1", 8080));
        assertThat(g.tags()).containsExactly("a", "b");
        assertThat(g.certPath()).isEmpty();
        assertThat(g.adminKey()).isEmpty();
        assertThat(g.drr().mode()).isEqualTo(Mode.AUTO);
        assertThat(g.drr().defaultQuantum()).isEqualTo(1);
        assertThat(g.drr().tenantQuanta()).isEmpty();
        assertThat(g.routes()).isEmpty();
        assertThat(g.targets()).isEmpty();
    }

    @Test
    void everyKeyCanBeSetInTheFile() throws IOException {
        Config config = loaded(Sources.none().withFile(toml("""
                [node]
                danger_ok = true
                profile = "micro"
                [gateway]
                max_conns = 7
                request_timeout = "250ms"
                max_body_bytes = 4096
                shed_ratio = 1
                bind_addr = "[::1]:0"
                tags = ["x"]
                cert_path = "/etc/cert.pem"
                admin_key = "inline"
                [gateway.drr]
                mode = "always_on"
                default_quantum = 3
                max_queue_wait = "100ms"
                tenant_quanta = { acme = 2, globex = 1 }
                [gateway.routes.demo]
                upstream = "http://127.0.0.1:8086"
                path = "/demo"
                open = true
                [[gateway.targets]]
                addr = "127.0.0.1:9000"
                weight = 5
                [[gateway.targets]]
                addr = "127.0.0.1:9001"
                """)));
        GatewayConfig g = config.section(GatewayConfig.class);
        assertThat(config.section(NodeConfig.class)).isEqualTo(new NodeConfig(true, "micro"));
        assertThat(g.maxConns()).isEqualTo(7);
        assertThat(g.requestTimeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(g.maxBodyBytes()).isEqualTo(Bytes.kib(4));
        assertThat(g.shedRatio()).isEqualTo(1.0);
        assertThat(g.bindAddr()).isEqualTo(new HostPort("::1", 0));
        assertThat(g.tags()).containsExactly("x");
        assertThat(g.certPath()).contains(Path.of("/etc/cert.pem"));
        assertThat(g.adminKey()).contains(Secret.of("inline"));
        assertThat(g.drr().mode()).isEqualTo(Mode.ALWAYS_ON);
        assertThat(g.drr().defaultQuantum()).isEqualTo(3);
        assertThat(g.drr().tenantQuanta()).isEqualTo(Map.of("acme", 2, "globex", 1));
        assertThat(g.routes().get("demo"))
                .isEqualTo(new Sample.RouteConfig(URI.create("http://127.0.0.1:8086"), "/demo", true));
        assertThat(g.targets()).extracting(Sample.TargetConfig::weight).containsExactly(5L, 1L);
        assertThat(config.value("gateway.drr.default_quantum").orElseThrow().origin())
                .isEqualTo(new Origin.File(dir.resolve("ron.toml"), 15));
    }

    @Test
    void everyKindOfKeyCanBeSetByVariable() {
        Config config = loaded(Sources.none()
                .withEnv(Map.of(
                        "RON__GATEWAY__DRR__DEFAULT_QUANTUM", "4",
                        "RON__GATEWAY__DRR__TENANT_QUANTA__ACME", "9",
                        "RON__GATEWAY__TAGS", "[\"p,q\", \"r\"]",
                        "RON__GATEWAY__ADMIN_KEY", "hush",
                        "RON__GATEWAY__ROUTES__DEMO__UPSTREAM", "http://a.test",
                        "RON_TOKEN", "not ours",
                        "PATH", "/bin")));
        GatewayConfig g = config.section(GatewayConfig.class);
        assertThat(g.drr().defaultQuantum()).isEqualTo(4);
        assertThat(g.drr().tenantQuanta()).isEqualTo(Map.of("acme", 9));
        assertThat(g.tags()).containsExactly("p,q", "r");
        assertThat(g.adminKey()).contains(Secret.of("hush"));
        assertThat(g.routes()).containsKey("demo");
        assertThat(config.value("gateway.drr.default_quantum").orElseThrow())
                .hasToString("gateway.drr.default_quantum = 4  # env RON__GATEWAY__DRR__DEFAULT_QUANTUM");
    }

    @Test
    void aVariableFindsAnEntryWithADash() throws IOException {
        GatewayConfig g = loaded(Sources.none()
                        .withFile(toml("[gateway.routes.gateway-1]\nupstream = \"http://a.test\"\n"))
                        .withEnv(Map.of("RON__GATEWAY__ROUTES__GATEWAY_1__PATH", "/b")))
                .section(GatewayConfig.class);
        assertThat(g.routes()).containsOnlyKeys("gateway-1");
        assertThat(Optional.ofNullable(g.routes().get("gateway-1"))
                        .orElseThrow()
                        .path())
                .isEqualTo("/b");
    }

    @Test
    void flagsBeatVariablesBeatFileBeatDefaults() throws IOException {
        Sources file = Sources.none().withFile(toml("[gateway]\nmax_conns = 2\n"));
        Sources env = file.withEnv(Map.of("RON__GATEWAY__MAX_CONNS", "3"));
        Sources flag = env.withSet("gateway.max_conns=4");
        assertThat(List.of(Sources.none(), file, env, flag))
                .extracting(s -> loaded(s).section(GatewayConfig.class).maxConns())
                .containsExactly(512, 2, 3, 4);
    }

    @Test
    void aVariableCanPointAtAFile() throws IOException {
        Path value = Files.writeString(dir.resolve("quantum"), "17\n");
        Config config =
                loaded(Sources.none().withEnv(Map.of("RON__GATEWAY__DRR__DEFAULT_QUANTUM_FILE", value.toString())));
        assertThat(config.section(GatewayConfig.class).drr().defaultQuantum()).isEqualTo(17);
    }

    @Test
    void aSecretComesFromAPrivateFile() throws IOException {
        Path key = Files.writeString(dir.resolve("key"), "s3cret\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Config config = loaded(Sources.none().withFile(toml("[gateway]\nadmin_key_file = \"" + key + "\"\n")));
        Secret secret = config.section(GatewayConfig.class).adminKey().orElseThrow();
        assertThat(secret.matches("s3cret".getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(config.toString() + config.values() + config.section(GatewayConfig.class))
                .doesNotContain("s3cret");

        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(errors(Sources.none().withFile(toml("[gateway]\nadmin_key_file = \"" + key + "\"\n"))))
                .containsExactly(
                        "ron.toml:2: gateway.admin_key: " + key + " can be read by other users: chmod 600 " + key);
    }

    @Test
    void hashCoversContentButNotSources() throws IOException {
        Config asDefault = loaded(Sources.none());
        Config asFile = loaded(Sources.none().withFile(toml("[gateway]\nmax_conns = 512\n")));
        Config other = loaded(Sources.none().withSet("gateway.max_conns=513"));
        assertThat(asFile.hash()).isEqualTo(asDefault.hash()).hasSize(64);
        assertThat(other.hash()).isNotEqualTo(asDefault.hash());
        assertThat(asDefault.version()).isEqualTo(1);
    }

    @Test
    void hashTellsNothingOfASecretYetAChangeIsSeen() {
        Config one = loaded(Sources.none().withEnv(Map.of("RON__GATEWAY__ADMIN_KEY", "one")));
        Config two = loaded(Sources.none().withEnv(Map.of("RON__GATEWAY__ADMIN_KEY", "two")));
        assertThat(two.hash()).isEqualTo(one.hash());
        assertThat(one.changesTo(two))
                .extracting(ConfigChange::toString)
                .containsExactly("gateway.admin_key: *** -> ***");
    }

    @Test
    void changesNameKeyValuesAndWhatTheyTake() {
        Config before = loaded(Sources.none().withSet("gateway.routes.a.upstream=http://a.test"));
        Config after = loaded(Sources.none()
                .withSet("gateway.max_conns=1")
                .withSet("gateway.bind_addr=127.0.0.1:1")
                .withSet("gateway.drr.default_quantum=2"));
        assertThat(before.changesTo(after))
                .extracting(c -> c + " " + c.change())
                .containsExactly(
                        "gateway.bind_addr: 127.0.0.1:8080 -> 127.0.0.1:1 REBIND",
                        "gateway.drr.default_quantum: 1 -> 2 HOT",
                        "gateway.max_conns: 512 -> 1 RESTART",
                        "gateway.routes.a.open: false -> unset HOT",
                        "gateway.routes.a.path: / -> unset HOT",
                        "gateway.routes.a.upstream: http://a.test -> unset HOT");
        assertThat(before.changesTo(before)).isEmpty();
    }

    private Path toml(String text) throws IOException {
        return Files.writeString(dir.resolve("ron.toml"), text);
    }

    static Config loaded(Sources sources) {
        return switch (ConfigLoader.load(Sample.SECTIONS, sources)) {
            case ConfigResult.Loaded l -> l.config();
            case ConfigResult.Rejected r -> throw new AssertionError(r.text());
        };
    }

    static List<String> errors(Sources sources) {
        return switch (ConfigLoader.load(Sample.SECTIONS, sources)) {
            case ConfigResult.Loaded l ->
                throw new AssertionError("loaded: " + l.config().values());
            case ConfigResult.Rejected r ->
                r.errors().stream().map(ConfigError::toString).toList();
        };
    }
}
