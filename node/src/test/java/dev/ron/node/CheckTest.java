package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.kernel.time.Clock;
import dev.ron.node.cli.Ron.Said;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code ron check} finds what would end {@code ron up}, and all of it at once. */
@Timeout(120)
final class CheckTest {
    @TempDir
    Path folder;

    private Path file;
    private Path data;

    @BeforeEach
    void place() throws IOException {
        file = folder.resolve("ron.toml");
        data = folder.resolve("data");
        Files.writeString(file, "[node]\n");
    }

    private Said check(String... more) {
        List<String> all = new ArrayList<>(List.of("check", "--config", file.toString(), "--data", data.toString()));
        all.addAll(List.of(more));
        if (!all.contains("--port-base")) {
            all.addAll(List.of("--port-base", "0"));
        }
        return ron(all.toArray(String[]::new));
    }

    private String passphrase(String text) throws IOException {
        Path secret = folder.resolve("secret-" + text);
        Files.writeString(secret, text + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        return "passport.kms.passphrase_file=" + secret;
    }

    @Test
    void aMissingPassphraseIsFoundAndAGivenOneIsEnough() throws IOException {
        Said missing = check();
        assertThat(missing.code()).isEqualTo(ExitCode.NO.code());
        assertThat(missing.out())
                .containsPattern("bad +passport +there is no passphrase")
                .contains("passport.kms.passphrase_file", "not good");
        Said given = check("--set", passphrase("right"));
        assertThat(given.code()).as(given.out() + given.err()).isZero();
        assertThat(given.out()).contains("gateway, edge, passport, admin were built in memory", "all good");
        assertThat(check("--profile", "micro").code()).isZero();
        assertThat(data).as("who only looks makes no folder").doesNotExist();
    }

    @Test
    void aPassphraseThatDoesNotOpenTheKeystoreIsFound() throws Exception {
        runOnce("--set passport", passphrase("right"));
        Said right = check("--set", passphrase("right"));
        assertThat(right.code()).as(right.out()).isZero();
        assertThat(right.out()).contains("passport keystore", "opens");
        Said wrong = check("--set", passphrase("wrong"));
        assertThat(wrong.code()).isEqualTo(ExitCode.NO.code());
        assertThat(wrong.out()).containsPattern("bad +passport keystore +the keystore does not open");
    }

    /** Whoever is on the way could put other keys in place of the office's, and read the feed key. */
    @Test
    void aPassportOfficeOnAnotherMachineNeedsHttpsOrAWordThatPlainHttpIsMeant() {
        Sources plain = Sources.none().withSet("node.passport.url=http://10.0.0.5:8082");
        assertThat(ConfigLoader.load(NodeSections.ALL, plain).toString()).contains("https, or http on loopback");
        for (Sources good : List.of(
                plain.withSet("node.danger_ok=true"),
                Sources.none().withSet("node.passport.url=https://office.example"),
                Sources.none().withSet("node.passport.url=http://127.0.0.1:8082"))) {
            assertThat(ConfigLoader.load(NodeSections.ALL, good)).isInstanceOf(ConfigResult.Loaded.class);
        }
    }

    /** A passport office that leaves its folder. */
    private void runOnce(String flag, String secret) throws Exception {
        Sources sources = Sources.none()
                .withSet(secret)
                .withFlag(flag, "node.data", data.toString())
                .withFlag(flag, "node.port_base", "0")
                .withFlag(flag, "node.services", "passport")
                .withFlag(flag, "node.log.level", "error");
        if (!(ConfigLoader.load(NodeSections.ALL, sources) instanceof ConfigResult.Loaded(Config config))) {
            throw new IllegalStateException("the configuration does not load");
        }
        Logs logs = Logs.install(LogFormat.TEXT, "error", System.err);
        Node.start(config, () -> ConfigLoader.load(NodeSections.ALL, sources), false, Clock.system(), logs)
                .close();
    }

    @Test
    void everyServiceThatCannotBeBuiltIsNamed() throws IOException {
        Files.writeString(file, """
                [gateway.tls]
                enabled = true
                cert_path = "%1$s/no-gateway.pem"
                key_path = "%1$s/no.key"
                [passport.tls]
                enabled = true
                cert_path = "%1$s/no-passport.pem"
                key_path = "%1$s/no.key"
                [registry.tls]
                enabled = true
                cert_path = "%1$s/no-registry.pem"
                key_path = "%1$s/no.key"
                """.formatted(folder));
        Said said = check("--services", "gateway,passport,registry,edge");
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        assertThat(said.out())
                .containsPattern("bad +gateway +TLS cannot be offered.*no-gateway.pem")
                .containsPattern("bad +passport +TLS cannot be offered.*no-passport.pem")
                .containsPattern("bad +registry +TLS cannot be offered.*no-registry.pem")
                .containsPattern("bad +passport +there is no passphrase")
                .containsPattern("bad +registry +there is no log")
                .contains("edge were built in memory");
        JsonNode findings = new StrictJson()
                .tree(check("--services", "gateway,passport", "--json").out().getBytes(StandardCharsets.UTF_8));
        assertThat(findings.valueStream()
                        .filter(finding -> finding.path("verdict").asString("").equalsIgnoreCase("bad")))
                .hasSize(3);
    }

    @Test
    void aWrongConfigurationDoesNotHideATakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(file, "[node]\nport_bse = 1\n[gateway.drr]\ndefault_quantum = \"fast\"\n");
            int base = taken.getLocalPort() - 5;
            Files.writeString(folder.resolve("data"), "not a folder");
            Said said = check("--port-base", String.valueOf(base), "--services", "gateway");
            assertThat(said.code()).isEqualTo(ExitCode.BAD_CONFIG.code());
            assertThat(said.out())
                    .contains("node.port_bse: unknown key (did you mean port_base?)", "gateway.drr.default_quantum")
                    .containsPattern("bad +port " + taken.getLocalPort() + " +ops: held by")
                    .containsPattern("bad +data");
        }
    }

    @Test
    void aDamagedLogIsFoundAndLeftAsItIs() throws IOException {
        Files.writeString(folder.resolve("pass"), "correct horse\n");
        Said made = ron(
                "registry",
                "init",
                "--data",
                data.toString(),
                "--keys",
                folder.resolve("k").toString(),
                "--origin",
                "example.org/registry",
                "--signer",
                "org:a#one",
                "-m",
                "1",
                "--passphrase-file",
                folder.resolve("pass").toString());
        assertThat(made.code()).as(made.err()).isZero();
        Said whole = check("--services", "registry");
        assertThat(whole.code()).as(whole.out() + whole.err()).isZero();
        assertThat(whole.out()).contains("version 1, every batch, hash and signature holds");

        Path segment;
        try (Stream<Path> log = Files.walk(data.resolve("registry/log"))) {
            segment = log.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(segment);
        bytes[200] ^= 0x20;
        Files.write(segment, bytes);
        Said damaged = check("--services", "registry");
        assertThat(damaged.code()).as(damaged.out()).isEqualTo(ExitCode.NO.code());
        assertThat(damaged.out()).containsPattern("bad +registry +there is no log");
        assertThat(Files.readAllBytes(segment)).isEqualTo(bytes);
    }
}
