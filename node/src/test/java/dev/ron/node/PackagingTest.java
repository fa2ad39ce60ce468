package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.node.cert.DevCertificates;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is shipped beside the program: unit, socket, image and cluster example keep their promises. */
@Timeout(120)
final class PackagingTest {
    private static final Path PACKAGING = Path.of("../packaging");
    private static final List<String> SOCKETS = List.of("gateway", "edge", "passport", "registry");

    @TempDir
    Path folder;

    private static String read(String name) throws IOException {
        return Files.readString(PACKAGING.resolve(name));
    }

    @Test
    void theUnitIsSandboxedTellsWhenItIsReadyAndReloads() throws IOException {
        assertThat(read("ron.service").lines())
                .contains(
                        "Type=notify",
                        "DynamicUser=yes",
                        "NoNewPrivileges=yes",
                        "ProtectSystem=strict",
                        "PrivateTmp=yes",
                        "SystemCallFilter=@system-service",
                        "ExecReload=/bin/kill -HUP $MAINPID",
                        "SystemCallErrorNumber=EPERM",
                        "Sockets=ron-gateway.socket ron-edge.socket ron-passport.socket ron-registry.socket",
                        "RestartPreventExitStatus=" + ExitCode.BAD_CONFIG.code() + " " + ExitCode.USAGE.code() + " "
                                + ExitCode.LOCKED.code() + " " + ExitCode.ROLLBACK.code());
    }

    /** A start in the sandbox is warm where the program was warmed once. */
    @Test
    void theUnitLeavesTheCacheOnAndSaysHowToMakeIt() throws IOException {
        assertThat(read("ron.service")).contains("/opt/ron/ron warm").doesNotContain("RON_AOT");
    }

    /** The account of the unit cannot read what is root's, so systemd hands it over; a mode shows its access list as the group's. */
    @Test
    void theUnitHandsOverThePassphraseOfTheGuideAndANodeTakesIt() throws Exception {
        List<String> unit = read("ron.service").lines().toList();
        assertThat(unit).contains("LoadCredential=passphrase:/etc/ron/passphrase", "SetCredential=passphrase:\\n");
        String guided = "[passport.kms]\npassphrase_file = \"passphrase\"";
        assertThat(Files.readString(Path.of("../docs/guides/before-my-app.md"))).contains(guided);

        Path credentials = Files.createDirectory(folder.resolve("credentials"));
        DevCertificates tls = new DevCertificates(credentials, Instant.now());
        tls.server(List.of("localhost"));
        Path passphrase = Files.writeString(credentials.resolve("passphrase"), "what root keeps\n");
        for (Path secret : List.of(passphrase, tls.key())) {
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--r-----"));
        }
        Files.writeString(folder.resolve("ron.toml"), """
                [gateway.tls]
                enabled = true
                cert_path = "%s"
                key_path = "%s"
                %s
                """.formatted(tls.certificate(), tls.key(), guided));
        List<String> command = new ArrayList<>(NodeProcess.java());
        command.addAll(List.of("check", "--port-base", "0"));
        Path said = folder.resolve("said.txt");
        ProcessBuilder check = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        check.environment().put("CREDENTIALS_DIRECTORY", credentials.toString());
        unit.stream()
                .filter(line -> line.startsWith("Environment="))
                .map(line -> line.substring("Environment=".length()).split("=", 2))
                .forEach(pair -> check.environment().put(pair[0], pair[1].replace("%d", credentials.toString())));
        Process checked = check.start();
        try {
            assertThat(checked.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            checked.destroyForcibly();
        }
        assertThat(checked.exitValue()).as(Files.readString(said)).isZero();
    }

    /** Each socket has the address and the port that a node gives the service by default. */
    @Test
    void eachSocketIsWhereItsServiceIs() throws IOException {
        Ports ports = new Ports(Ports.DEFAULT_BASE);
        for (String service : SOCKETS) {
            assertThat(read("ron-" + service + ".socket").lines())
                    .as(service)
                    .contains(
                            "ListenStream=127.0.0.1:" + ports.of(service),
                            "FileDescriptorName=" + service,
                            "Service=ron.service");
        }
    }

    /** With the paths of a distribution that is here, since systemd wants to see the program. */
    @Test
    void systemdUnderstandsUnitAndSocket() throws Exception {
        assumeTrue(Shell.has("systemd-analyze"), "skipped: systemd-analyze is not here");
        Path program = folder.resolve("ron");
        Files.copy(Path.of("../ron"), program);
        Files.writeString(
                folder.resolve("ron.service"), read("ron.service").replace("/opt/ron/ron", program.toString()));
        List<String> command = new ArrayList<>(List.of("systemd-analyze", "verify", "--man=no", "./ron.service"));
        for (String service : SOCKETS) {
            String name = "ron-" + service + ".socket";
            Files.writeString(folder.resolve(name), read(name));
            command.add("./" + name);
        }
        Path said = folder.resolve("said.txt");
        Process verify = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(verify.waitFor(60, TimeUnit.SECONDS)).isTrue();
        // Other units of the machine are read too; only what is said of ours counts.
        assertThat(Files.readAllLines(said).stream()
                        .filter(line -> line.contains("ron-") || line.contains("ron.service")))
                .isEmpty();
    }

    @Test
    void theImageNeedsNoNetworkAndRunsAsNobody() throws IOException {
        List<String> lines = read("Dockerfile").lines().toList();
        assertThat(lines).contains("USER 65532:65532", "STOPSIGNAL SIGTERM");
        assertThat(lines.stream().filter(line -> line.startsWith("RUN")))
                .noneMatch(line -> line.contains("apt") || line.contains("curl") || line.contains("http"));
        assertThat(lines.stream().filter(line -> line.startsWith("COPY"))).containsExactly("COPY . /opt/ron");
    }

    /** A mount that opened every file to the group at each start would have the second start refuse its own keys. */
    @Test
    void theClusterExamplesAreUnprivilegedAndLeaveTheModesOfFilesAlone() throws IOException {
        for (String example : List.of("kubernetes.yaml", "kubernetes-stopped.yaml")) {
            assertThat(read(example))
                    .as(example)
                    .contains(
                            "runAsNonRoot: true",
                            "fsGroup: 65532",
                            "fsGroupChangePolicy: OnRootMismatch",
                            "readOnlyRootFilesystem: true",
                            "allowPrivilegeEscalation: false",
                            "capabilities: {drop: [ALL]}",
                            "RON__PASSPORT__KMS__PASSPHRASE");
        }
    }

    @Test
    void theConfigurationOfTheClusterExampleIsRight() throws IOException {
        String yaml = read("kubernetes.yaml");
        String config = yaml.lines()
                .dropWhile(line -> !line.equals("  ron.toml: |"))
                .skip(1)
                .takeWhile(line -> !line.equals("---"))
                .map(String::strip)
                .collect(Collectors.joining("\n"));
        Path file = folder.resolve("ron.toml");
        Files.writeString(file, config);
        Said said = ron(
                "check",
                "--config",
                file.toString(),
                "--bind",
                "0.0.0.0",
                "--port-base",
                "0",
                "--set",
                "passport.kms.passphrase=what the secret of the cluster holds",
                "--data",
                folder.resolve("data").toString());
        assertThat(said.code()).as(said.err() + said.out()).isZero();
    }
}
