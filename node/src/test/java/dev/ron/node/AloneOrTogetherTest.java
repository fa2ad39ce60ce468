package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Five services in one process, in five processes by flags, in five processes with a file each: the same story passes.
 *
 * <p>A token is issued, a request is proxied with it, a tile is fetched, a proposal is approved and committed, and the
 * console sees everything well.
 */
@Timeout(300)
final class AloneOrTogetherTest {
    private static final List<String> OTHERS = List.of("registry", "edge", "gateway");
    private static final Pattern PENDING = Pattern.compile("(p_[a-z2-7]{26})\\S*\\s.*pending");

    @TempDir
    Path folder;

    private final Map<String, NodeProcess> processes = new LinkedHashMap<>();

    @AfterEach
    void end() {
        processes.values().forEach(NodeProcess::close);
    }

    @Test
    void inOneProcess() {
        NodeProcess all = NodeProcess.up(folder);
        for (String service : NodeSections.SERVICES) {
            processes.put(service, all);
        }
        story();
    }

    // edge is killed -> the others serve on, and the console names what is gone
    @Test
    void inFiveProcessesByFlags() throws IOException {
        begin("passport", "--services", "passport", "--set", "passport.issuer=office");
        for (String service : OTHERS) {
            begin(service, concat(List.of("--services", service), flags()));
        }
        List<String> watched = new ArrayList<>(List.of("--services", "admin"));
        nodes().forEach((id, url) -> watched.addAll(List.of("--set", "admin.nodes." + id + ".base_url=" + url)));
        watched.addAll(List.of("--set", "admin.polling.status_interval=2s"));
        begin("admin", watched.toArray(String[]::new));
        story();

        at("edge").close();
        String token = issue();
        assertThat(at("gateway").get("gateway", "/demo/echo", token)).startsWith("HTTP/1.1 200");
        assertThat(at("registry").get("registry", "/registry/head")).startsWith("HTTP/1.1 200");
        Eventually.await(
                "the console has noticed",
                () -> at("admin").get("admin", "/api/nodes/edge").contains("unreachable"));
        assertThat(at("admin").get("admin", "/api/nodes/gateway")).doesNotContain("unreachable");
    }

    @Test
    void inFiveProcessesWithAFileEach() throws IOException {
        beginWith("passport", "[passport]\nissuer = \"office\"\n");
        String office = """
                [node.passport]
                url = "%s"
                issuer = "office"
                feed_key_file = "%s"
                """.formatted(at("passport").url("passport"), key());
        for (String service : OTHERS) {
            beginWith(service, office);
        }
        StringBuilder watched = new StringBuilder("[admin.polling]\nstatus_interval = \"2s\"\n");
        nodes().forEach((id, url) -> watched.append("[admin.nodes.")
                .append(id)
                .append("]\nbase_url = \"")
                .append(url)
                .append("\"\n"));
        beginWith("admin", watched.toString());
        story();
    }

    private void story() {
        String token = issue();
        Eventually.await(
                "the gateway has heard the issuer",
                () -> at("gateway").get("gateway", "/demo/echo", token).startsWith("HTTP/1.1 200"));
        assertThat(at("gateway").get("gateway", "/demo/echo")).startsWith("HTTP/1.1 401");
        Eventually.await(
                "the map is mounted",
                () -> at("edge").get("edge", "/edge/tiles/world/0/0/0.mvt").startsWith("HTTP/1.1 200"));
        Matcher pending = PENDING.matcher(registry("log").out());
        assertThat(pending.find()).isTrue();
        String id = pending.group(1);
        Eventually.await(
                "the registry has heard the issuer",
                () -> !registry("commit", id).err().contains("503"));
        Said committed = registry("approve", id, "--yes", "--commit", "--key", signer("ann"), "--key", signer("ben"));
        assertThat(committed.out()).as(committed.err()).contains("version 2");
        assertThat(at("registry").get("registry", "/registry/head")).contains("\"version\":2");
        Eventually.await("the console sees everything well", () -> {
            String seen = at("admin").get("admin", "/api/nodes");
            return seen.contains("\"state\":\"ready\"") && !seen.contains("unreachable") && !seen.contains("not_ready");
        });
        for (String service : NodeSections.SERVICES) {
            Said status = ron("status", "--url", at(service).url("ops"));
            assertThat(status.out()).as(service).contains(service).doesNotContain("not ready");
        }
    }

    private String issue() {
        Said issued = ron(
                "token",
                "issue",
                "--tenant",
                "acme",
                "--passport-url",
                at("passport").url("passport"),
                "--data",
                data("passport"));
        assertThat(issued.code()).as(issued.err()).isZero();
        return issued.out().strip();
    }

    private Said registry(String... args) {
        List<String> all = new ArrayList<>(List.of("registry"));
        all.addAll(List.of(args));
        all.addAll(List.of(
                "--registry-url",
                at("registry").url("registry"),
                "--passport-url",
                at("passport").url("passport"),
                "--data",
                data("passport")));
        return ron(all.toArray(String[]::new));
    }

    private NodeProcess at(String service) {
        NodeProcess process = processes.get(service);
        if (process == null) {
            throw new IllegalStateException(service + " does not run");
        }
        return process;
    }

    private void begin(String service, String... flags) throws IOException {
        processes.put(service, NodeProcess.up(Files.createDirectory(folder.resolve(service)), flags));
    }

    private void beginWith(String service, String config) throws IOException {
        Path home = Files.createDirectory(folder.resolve(service));
        Files.writeString(
                home.resolve("ron.toml"),
                "[node]\nservices = [\"" + service + "\"]\n[node.demo]\nenabled = true\n" + config);
        processes.put(service, NodeProcess.up(home));
    }

    private List<String> flags() {
        return List.of(
                "--set",
                "node.passport.url=" + at("passport").url("passport"),
                "--set",
                "node.passport.issuer=office",
                "--set",
                "node.passport.feed_key_file=" + key());
    }

    private static String[] concat(List<String> some, List<String> more) {
        List<String> all = new ArrayList<>(some);
        all.addAll(more);
        return all.toArray(String[]::new);
    }

    /** The ops planes that the console of a process of its own watches. */
    private Map<String, String> nodes() {
        Map<String, String> urls = new LinkedHashMap<>();
        processes.forEach((service, process) -> urls.put(service, process.url("ops")));
        return urls;
    }

    private Path key() {
        return folder.resolve("passport/data/passport/bootstrap.key");
    }

    private String data(String service) {
        Path own = folder.resolve(service).resolve("data");
        return (Files.exists(own) ? own : folder.resolve("data")).toString();
    }

    private String signer(String name) {
        return Path.of(data("registry"), "demo", "keys", name + ".key").toString();
    }
}
