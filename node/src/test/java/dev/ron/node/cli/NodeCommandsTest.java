package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.ExitCode;
import dev.ron.node.RunningNode;
import dev.ron.node.cert.DevCertificates;
import dev.ron.node.cli.Ron.Said;
import dev.ron.node.data.DataFolder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every command that asks a running node, against one at a place that only {@code --url} names; its registry speaks TLS. */
@Timeout(180)
final class NodeCommandsTest {
    @TempDir
    Path folder;

    private final Set<String> asked = new HashSet<>();
    private DevCertificates files;
    private RunningNode node;

    @BeforeEach
    void start() throws IOException {
        files = new DevCertificates(folder.resolve("tls"), Instant.now());
        files.server(List.of("localhost", "127.0.0.1"));
        files.client("robot");
        configure("");
        node = RunningNode.up(folder);
    }

    @AfterEach
    void end() {
        node.close();
    }

    private void configure(String more) throws IOException {
        Files.writeString(folder.resolve("ron.toml"), """
                [node.demo]
                enabled = true
                [registry.tls]
                enabled = true
                cert_path = "%s"
                key_path = "%s"
                """.formatted(files.certificate(), files.key()) + more);
    }

    private Said at(String command, String... args) {
        asked.add(command);
        List<String> all = new ArrayList<>(List.of(command.split(" ", -1)));
        all.addAll(List.of(args));
        all.addAll(List.of(
                "--url",
                "http://127.0.0.1:" + node.port("ops") + "/",
                "--data",
                folder.resolve("data").toString(),
                "--ca",
                files.authority().toString()));
        return ron(all.toArray(String[]::new));
    }

    private String good(String command, String... args) {
        Said said = at(command, args);
        assertThat(said.code()).as(command + ": " + said.err() + said.out()).isZero();
        return said.out();
    }

    private String no(String command, String... args) {
        Said said = at(command, args);
        assertThat(said.code()).as(command + ": " + said.out()).isEqualTo(ExitCode.NO.code());
        return said.out() + said.err();
    }

    @Test
    void everyCommandAsksTheNodeThatUrlNames() throws Exception {
        tokensAndKeys();
        refusals();
        registry();
        readiness();
        configuration();
        recording();
        Set<String> known = new HashSet<>(CommandReference.ofRon().commandsWith("--url"));
        // What stops every change, and lets changes happen again, wants a reason.
        known.stream()
                .filter(Set.of("registry freeze", "registry thaw")::contains)
                .sorted()
                .forEach(command -> good(command, "--reason", "a try"));
        assertThat(good("stop")).contains("stopping");
        assertThat(DataFolder.holder(folder.resolve("data")))
                .as("who stopped a node may have its folder")
                .isEmpty();
        assertThat(node.exitCode()).isZero();
        assertThat(asked).isEqualTo(known);
    }

    private void tokensAndKeys() {
        String token = good("token issue", "--tenant", "acme").strip();
        assertThat(good("token verify", token)).contains("good");
        offline(token);
        assertThat(good("token revoke", token)).contains("revoked, feed sequence 1");
        assertThat(no("token verify", token)).contains("refused: revoked");

        assertThat(good("keys list")).contains("KID", "pct", "active");
        assertThat(json(good("keys list", "--json")).path("keys").isEmpty()).isFalse();
        assertThat(good("keys rotate")).startsWith("announced ");
        assertThat(good("keys rotate", "--purpose", "jwt", "--now")).startsWith("now signing with ");
        assertThat(no("keys rotate", "--purpose", "nonsense")).contains("purpose");

        String key = good("client add", "shop", "--tenant", "acme").strip();
        assertThat(good("token issue", "--key", key, "--tenant", "acme")).startsWith("pct1~");
        String robot = folder.resolve("tls/robot.pem").toString();
        assertThat(good("client add", "robot", "--tenant", "acme", "--cert", robot))
                .matches("known by certificate [A-Za-z0-9_:-]{40,}\\s+");
        Said noCertificate =
                at("client add", "x", "--tenant", "acme", "--cert", files.key().toString());
        assertThat(noCertificate.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(noCertificate.err()).contains("cannot be read as a certificate");
        assertThat(good("client remove", "robot")).contains("removed robot");
        assertThat(no("client remove", "robot")).contains("no client robot");
        assertThat(no("client add", "y", "--tenant", "acme", "--token", "wrong"))
                .contains("401", "operator.token");
    }

    // no address of a node, no folder  ->  narrowed, explained, and without its last block told for what it is
    private void offline(String token) {
        Said narrow = ron("token", "attenuate", "--path", "/demo/", "--ttl", "60s", token);
        assertThat(narrow.code()).as(narrow.err()).isZero();
        String child = narrow.out().strip();
        assertThat(good("token verify", child)).contains("good");
        Said explained = ron("token", "inspect", child);
        assertThat(explained.code()).as(explained.out()).isZero();
        assertThat(explained.out()).contains("/demo/", "(added in block 1)", "nothing that can be seen offline");
        String[] parts = child.split("~", -1);
        String cut = "pct1~" + parts[1] + "~" + parts[3];
        Said refused = ron("token", "inspect", cut);
        assertThat(refused.code()).isEqualTo(ExitCode.NO.code());
        assertThat(refused.out()).contains("REFUSED bad_proof");
        assertThat(no("token verify", cut)).contains("refused: bad_proof");
    }

    private void refusals() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI path = URI.create("http://127.0.0.1:" + node.port("gateway") + "/demo/echo");
            String id = client.send(HttpRequest.newBuilder(path).build(), HttpResponse.BodyHandlers.discarding())
                    .headers()
                    .firstValue("X-Corr-ID")
                    .orElseThrow();
            assertThat(good("why", id)).contains("401 unauth", "route     demo", "refused at the door");
            assertThat(json(good("why", id, "--json")).path("corr_id").asString(""))
                    .isEqualTo(id);
        }
        assertThat(no("why", "nobody-knows-this")).contains("does not remember nobody-knows-this");
        assertThat(json(no("why", "nobody-knows-this", "--json")).path("known").asBoolean(true))
                .isFalse();
        assertThat(good("top", "--count", "2", "--every", "50"))
                .contains("ron ", "ready", "queues", "edge ", "hit ratio", "registry ", "version 1", "commits/s")
                .doesNotContain("\u001b");
        JsonNode look = json(good("top", "--count", "1", "--json"));
        assertThat(look.path("registry").path("version").asLong()).isEqualTo(1);
        assertThat(look.path("tenants").isArray()).isTrue();
    }

    private void registry() throws IOException {
        assertThat(good("registry log")).contains("genesis", "pending");
        Eventually.await("the registry has heard the issuer", () -> {
            Said said = at("registry propose", "--put", "svc.x", "--body", "{\"url\":\"http://x\"}");
            return said.code() == 0;
        });
        String id = good("registry propose", "--put", "svc.y", "--body", "{\"url\":\"http://y\"}")
                .strip();
        assertThat(good("registry approve", id, "--yes", "--key", signer("ann"), "--key", signer("ben")))
                .contains("2 of 2, enough to commit");
        assertThat(good("registry commit", id)).contains("version 2");
        assertThat(good("registry show", "svc.y")).contains("http://y");
        provesOffline(good("registry bundle", "2"));
        assertThat(good("registry watch", "--since", "1", "--count", "1")).contains("\"version\":2");
        assertThat(good("registry rotate", "org:acme#ben", "org:acme#bea", "--key", signer("bea")))
                .startsWith("p_");
        assertThat(no("registry rotate", "org:acme#bo", "org:acme#bea", "--key", signer("bea")))
                .contains("org:acme#bo is no active signer", "these are: org:acme#ann, org:acme#ben, org:globex#cleo");
    }

    private void provesOffline(String bundle) throws IOException {
        Path file = Files.writeString(folder.resolve("bundle.json"), bundle);
        Said said = ron("registry", "verify", file.toString(), "--json");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(json(said.out()).path("ok").asBoolean(false)).isTrue();
        assertThat(json(said.out()).path("version").asLong()).isEqualTo(2);
        assertThat(json(said.out()).path("genesis").asString("")).startsWith("b3:");
        Files.writeString(file, bundle.replace("http://y", "http://z"));
        Said changed = ron("registry", "verify", file.toString(), "--json");
        assertThat(changed.code()).isEqualTo(ExitCode.NO.code());
        assertThat(json(changed.out()).path("ok").asBoolean(true)).isFalse();
        assertThat(json(changed.out()).path("reason").asString("")).isNotEmpty();
    }

    private String signer(String name) {
        return folder.resolve("data/demo/keys").resolve(name + ".key").toString();
    }

    private void readiness() {
        assertThat(good("status")).contains("ready", "gateway", "healthy");
        assertThat(good("drain")).contains("ron resume takes it back");
        assertThat(no("status")).contains("NOT READY");
        assertThat(json(good("resume", "--json")).path("resumed_tasks").asInt(-1))
                .isZero();
        assertThat(good("status")).doesNotContain("NOT READY");
        assertThat(no("drain", "--token", "wrong")).contains("401");
    }

    private void configuration() throws IOException {
        assertThat(good("reload")).contains("noop, config version 1");
        configure("[node.shutdown]\ndrain_deadline = \"7s\"\n");
        assertThat(good("reload")).contains("applied, config version 2");
        configure("[node.shutdown]\ndrain_deadline = \"soon\"\n");
        assertThat(no("reload")).contains("drain_deadline", "soon");
        assertThat(good("status")).contains("config version 2");
    }

    private void recording() throws IOException {
        Path file = Path.of(good("profile", "1s").strip());
        assertThat(file).startsWith(folder.resolve("data/profiles").toRealPath());
        assertThat(RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.toString().contains("ports.json")
                                || event.toString().contains(System.getenv("PATH"))
                                || event.getEventType().getName().equals("jdk.SystemProcess"))
                        .toList())
                .as("no argument, variable or other process, for secrets stand there")
                .isEmpty();
        Said said = at("profile", "soon");
        assertThat(said.code()).isEqualTo(ExitCode.USAGE.code());
        assertThat(said.err()).contains("write 30s or 2m");
    }

    private static JsonNode json(String text) {
        return new StrictJson().tree(text.getBytes(StandardCharsets.UTF_8));
    }
}
