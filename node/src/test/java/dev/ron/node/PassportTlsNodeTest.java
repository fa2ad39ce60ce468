package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.cert.DevCertificates;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of an office that speaks TLS are taken by everyone, in its own process and in others. */
@Timeout(120)
final class PassportTlsNodeTest {
    private static final Pattern PENDING = Pattern.compile("(p_[a-z2-7]{26})\\S*\\s.*pending");

    @TempDir
    Path folder;

    @Test
    void gatewayRegistryConsoleAndDemoTakeItsTokens() throws IOException {
        DevCertificates files = certificates("localhost", "127.0.0.1");
        List<String> flags = tls(files);
        flags.addAll(List.of("--set", "admin.auth.mode=passport"));
        try (NodeProcess node = NodeProcess.up(folder, flags.toArray(String[]::new))) {
            String token = said(node, files, "token", "issue", "--tenant", "acme");
            takes(node, "gateway", "/demo/echo", token);
            takes(node, "demo", "/guarded", token);
            takes(
                    node,
                    "admin",
                    "/api/nodes",
                    said(node, files, "token", "issue", "--audience", "svc-admin", "--scope", "admin:viewer"));
            String plain = said(node, files, "token", "issue", "--audience", "svc-admin");
            Said wider = ron("token", "attenuate", "--scope", "admin:admin", plain);
            assertThat(node.get("admin", "/api/nodes", wider.out().strip()))
                    .as("a holder gives itself no role")
                    .startsWith("HTTP/1.1 403");

            Matcher pending = PENDING.matcher(said(node, files, "registry", "log"));
            assertThat(pending.find()).isTrue();
            List<String> approval = new ArrayList<>(List.of("registry", "approve", pending.group(1), "--yes"));
            for (String signer : List.of("ann", "ben")) {
                approval.addAll(List.of(
                        "--key",
                        folder.resolve("data/demo/keys/" + signer + ".key").toString()));
            }
            approval.add("--commit");
            assertThat(said(node, files, approval.toArray(String[]::new))).contains("version 2");

            assertThat(said(node, files, "keys", "list")).contains("pct");
            assertThat(said(node, files, "client", "add", "ci", "--tenant", "acme"))
                    .isNotBlank();
            said(node, files, "token", "verify", token);
            said(node, files, "token", "revoke", token);
            Eventually.await(
                    "the revocation",
                    () -> node.get("demo", "/guarded", token).contains("\"reason\":\"revoked\"")
                            && node.get("gateway", "/demo/echo", token).contains("\"reason\":\"revoked\""));
        }
    }

    // A certificate for the world names no loopback address, and a node has no client certificate to show itself.
    @Test
    void alsoWhereItsCertificateNamesAnotherHostAndCallersMustShowOne() throws IOException {
        DevCertificates files = certificates("passport.example.org");
        List<String> flags = tls(files);
        flags.addAll(List.of("--set", "passport.tls.client_ca_path=" + files.authority()));
        try (NodeProcess node = NodeProcess.up(folder, flags.toArray(String[]::new))) {
            Eventually.await("it has said all", () -> node.out().contains("Ctrl-C"));
            takes(node, "gateway", "/demo/echo", node.demoToken());
            takes(node, "demo", "/guarded", node.demoToken());
        }
    }

    @Test
    void aProcessApartChecksItWithTheAuthorityItIsTold() throws IOException {
        DevCertificates files = certificates("127.0.0.1");
        List<String> flags = tls(files);
        flags.addAll(List.of("--services", "passport", "--set", "passport.issuer=office"));
        try (NodeProcess office = NodeProcess.up(folder, flags.toArray(String[]::new));
                NodeProcess told = gateway(office, "told", "--set", "node.passport.ca_file=" + files.authority());
                NodeProcess untold = gateway(office, "untold")) {
            String token = said(office, files, "token", "issue", "--tenant", "acme");
            takes(told, "gateway", "/demo/echo", token);
            Eventually.await(
                    "it says why it takes no token",
                    () -> untold.err()
                            .lines()
                            .anyMatch(line -> line.contains("\"warn\"") && line.contains("keys of office")));
            assertThat(untold.get("gateway", "/demo/echo", token)).startsWith("HTTP/1.1 503");
            assertThat(told.err()).doesNotContain("keys of office");
        }
    }

    private NodeProcess gateway(NodeProcess office, String name, String... more) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "--services",
                "gateway",
                "--set",
                "node.passport.url=https://127.0.0.1:" + office.port("passport"),
                "--set",
                "node.passport.issuer=office",
                "--set",
                "node.passport.feed_key_file=" + folder.resolve("data/passport/bootstrap.key")));
        flags.addAll(List.of(more));
        return NodeProcess.up(Files.createDirectory(folder.resolve(name)), flags.toArray(String[]::new));
    }

    private static void takes(NodeProcess node, String listener, String path, String token) {
        Eventually.await(
                listener + " takes the token",
                () -> node.get(listener, path, token).startsWith("HTTP/1.1 200"));
    }

    /** A command about this node that ends well, and what it said. */
    private String said(NodeProcess node, DevCertificates files, String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--url", node.url("ops")));
        all.addAll(List.of("--data", folder.resolve("data").toString()));
        all.addAll(List.of("--ca", files.authority().toString()));
        Said said = ron(all.toArray(String[]::new));
        assertThat(said.code()).as(said.out() + said.err()).isZero();
        return said.out().strip();
    }

    private DevCertificates certificates(String... hosts) throws IOException {
        DevCertificates files = new DevCertificates(folder.resolve("tls"), Instant.now());
        files.server(List.of(hosts));
        return files;
    }

    private static List<String> tls(DevCertificates files) {
        return new ArrayList<>(List.of(
                "--set",
                "passport.tls.enabled=true",
                "--set",
                "passport.tls.cert_path=" + files.certificate(),
                "--set",
                "passport.tls.key_path=" + files.key()));
    }
}
