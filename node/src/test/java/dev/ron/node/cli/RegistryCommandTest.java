package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.state.State;
import dev.ron.node.ExitCode;
import dev.ron.node.RunningNode;
import dev.ron.node.cli.Ron.Said;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.SegmentStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ron registry} against a demo node, as a person would use it. */
class RegistryCommandTest {
    private static final Pattern PROPOSAL = Pattern.compile("p_[a-z2-7]{26}");

    @TempDir
    Path folder;

    private Said registry(RunningNode node, String... args) {
        List<String> all = new ArrayList<>(List.of("registry"));
        all.addAll(List.of(args));
        all.addAll(List.of(
                "--registry-url",
                "http://127.0.0.1:" + node.port("registry"),
                "--passport-url",
                "http://127.0.0.1:" + node.port("passport"),
                "--data",
                folder.resolve("data").toString()));
        return ron(all.toArray(String[]::new));
    }

    private Path key(String name) {
        return folder.resolve("data/demo/keys").resolve(name + ".key");
    }

    private String approveAndCommit(RunningNode node, String id, String... signers) {
        List<String> args = new ArrayList<>(List.of("approve", id, "--yes", "--commit"));
        for (String signer : signers) {
            args.addAll(List.of("--key", key(signer).toString()));
        }
        Said said = registry(node, args.toArray(String[]::new));
        assertThat(said.code()).as(said.err()).isZero();
        return said.out();
    }

    @Test
    void twoDemoKeysMakeVersionTwoAndItsBundleVerifiesOffline() throws Exception {
        String bundle;
        try (RunningNode node = RunningNode.up(folder)) {
            Said log = registry(node, "log");
            assertThat(log.out()).contains("genesis", "pending", "0 of 2");
            Matcher found = PROPOSAL.matcher(log.out().substring(log.out().indexOf("VOTES")));
            assertThat(found.find()).isTrue();
            String id = found.group();
            Eventually.await(
                    "the registry has heard the issuer",
                    () -> !registry(node, "commit", id).err().contains("503"));
            assertThat(registry(node, "commit", id).err()).contains("quorum");
            assertThat(registry(node, "approve", id, "--key", key("ann").toString())
                            .code())
                    .as("without a terminal it asks for --yes")
                    .isEqualTo(ExitCode.USAGE.code());
            assertThat(approveAndCommit(node, id, "ann", "cleo"))
                    .contains(
                            "- body.max_ttl_s: 3600",
                            "+ body.max_ttl_s: 1800",
                            "2 of 2, enough to commit",
                            "version 2");
            assertThat(registry(node, "commit", id).out()).contains("version 2 (it was committed before)");
            assertThat(streamedAfter(node, 1)).contains("\"version\":2");
            bundle = registry(node, "bundle", "2").out();
            assertThat(registry(node, "show", "passport.policy").out()).contains("1800");
        }
        Path file = folder.resolve("b.json");
        Files.writeString(file, bundle);
        Said good = ron("registry", "verify", file.toString());
        assertThat(good.code()).isZero();
        assertThat(good.out()).contains("OK: version 2");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Said bad = ron("registry", "verify", file.toString());
        assertThat(bad.code()).isEqualTo(ExitCode.NO.code());
        assertThat(bad.err()).contains("does not prove anything");
    }

    /** What a reader gets that reconnects with the id of the last event it saw. */
    private static String streamedAfter(RunningNode node, long version) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create("http://127.0.0.1:" + node.port("gateway") + "/registry/stream")
                        .toURL()
                        .openConnection();
        connection.setRequestProperty("Last-Event-ID", Long.toString(version));
        connection.setReadTimeout(30_000);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (!line.equals("event: registry.update")) {
                line = lines.readLine();
            }
            return lines.readLine() + lines.readLine();
        }
    }

    @Test
    void aSignerIsRotatedWithTwoCommands() throws IOException {
        try (RunningNode node = RunningNode.up(folder)) {
            Eventually.await(
                    "the registry has heard the issuer",
                    () -> registry(node, "propose", "--put", "svc.x", "--body", "{\"url\":\"http://x\"}")
                                    .code()
                            == 0);
            Said rotate = registry(
                    node,
                    "rotate",
                    "org:acme#ben",
                    "org:acme#bea",
                    "--key",
                    key("bea").toString());
            assertThat(rotate.code()).as(rotate.err()).isZero();
            String id = rotate.out().strip();
            assertThat(approveAndCommit(node, id, "ann", "cleo"))
                    .contains("org:acme#ben is revoked", "+ org:acme#bea", "version 2");
            String ops = "http://127.0.0.1:" + node.port("ops");
            String data = folder.resolve("data").toString();
            String[] put = {"propose", "--put", "svc.y", "--body", "{\"url\":\"http://y\"}"};
            assertThat(ron("registry", "freeze", "--reason", "drill", "--url", ops, "--data", data)
                            .out())
                    .contains("frozen: ");
            assertThat(registry(node, put).err()).contains("the registry is frozen: drill");
            assertThat(ron("registry", "thaw", "--reason", "over", "--url", ops, "--data", data)
                            .out())
                    .contains("thawed: ");
            Said next = registry(node, put);
            assertThat(registry(
                                    node,
                                    "approve",
                                    next.out().strip(),
                                    "--yes",
                                    "--key",
                                    key("ben").toString())
                            .err())
                    .contains("revoked");
            assertThat(approveAndCommit(node, next.out().strip(), "bea", "ann")).contains("version 3");
            hybridSignerTakesOver(node);
            everyDescriptorIsShownAlsoBeyondAPage(node);
        }
    }

    /** A page has at most a thousand. */
    private void everyDescriptorIsShownAlsoBeyondAPage(RunningNode node) throws IOException {
        Draft draft = Draft.of("service", new ObjWriter().put("url", "http://m").end());
        List<String> ids = IntStream.range(0, 1_010).mapToObj(i -> "many." + i).toList();
        ChangeSet change = ChangeSet.of(new Body.Change(
                ids.stream().map(id -> (Op) new Op.Put(id, 0, draft)).toList()));
        Path file = Files.writeString(folder.resolve("many.json"), CanonicalJson.text(change.toJson()));
        Said many = registry(node, "propose", "--file", file.toString());
        assertThat(many.code()).as(many.err()).isZero();
        assertThat(approveAndCommit(node, many.out().strip(), "dan", "ann")).contains("version 6");
        assertThat(registry(node, "show").out().lines().map(line -> line.split(" ", 2)[0]))
                .contains("svc.y", "svc.z")
                .containsAll(ids)
                .doesNotHaveDuplicates();
    }

    /** A key with an ML-DSA-65 half signs twice, and both signatures are in the log. */
    private void hybridSignerTakesOver(RunningNode node) {
        Said made = ron(
                "registry",
                "key",
                "org:globex#dan",
                "--hybrid",
                "--out",
                key("dan").toString());
        assertThat(made.out()).as(made.err()).contains("ed25519", "ml-dsa-65");
        Said rotate = registry(
                node,
                "rotate",
                "org:acme#bea",
                "org:globex#dan",
                "--key",
                key("dan").toString());
        assertThat(approveAndCommit(node, rotate.out().strip(), "ann", "cleo")).contains("version 4");
        Said last = registry(node, "propose", "--put", "svc.z", "--body", "{\"url\":\"http://z\"}");
        assertThat(approveAndCommit(node, last.out().strip(), "dan", "ann")).contains("version 5");
        assertThat(registry(node, "bundle", "5").out()).contains("\"algo\":\"ml-dsa-65\"");
    }

    @Test
    void aLogIsBegunOfflineAndOnlyOnce() throws IOException {
        Files.writeString(folder.resolve("pass"), "correct horse\n");
        Path policy = folder.resolve("policy.json");
        Files.writeString(policy, "{\"max_ttl_s\":600}");
        String[] init = {
            "registry",
            "init",
            "--data",
            folder.resolve("own").toString(),
            "--keys",
            folder.resolve("k").toString(),
            "--origin",
            "example.org/registry",
            "--signer",
            "org:a#one",
            "--signer",
            "org:b#two",
            "-m",
            "2",
            "--passphrase-file",
            folder.resolve("pass").toString(),
            "--put",
            "passport.policy",
            "--kind",
            "passport.issuer_policy",
            "--body",
            "@" + policy,
            "--put",
            "svc.a",
            "--body",
            "{\"url\":\"http://a\"}"
        };
        Said made = ron(init);
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.out()).contains("genesis b3:", "2 of 2 must agree");
        try (SegmentStore store = SegmentStore.open(new RealDisk(folder.resolve("own/registry")), 1 << 20)) {
            State state = Registry.open(store, Limits.DEFAULT)
                    .orElseThrow()
                    .view()
                    .ledger()
                    .state();
            assertThat(state.get("passport.policy").orElseThrow().descriptor().content())
                    .isEqualTo(Draft.of(
                            "passport.issuer_policy",
                            new ObjWriter().put("max_ttl_s", 600).end()));
            assertThat(state.get("svc.a")).isPresent();
        }
        assertThat(Files.readString(folder.resolve("k/one.key")))
                .doesNotContain("seed")
                .contains("sealed");
        Files.delete(folder.resolve("k/one.key"));
        Files.delete(folder.resolve("k/two.key"));
        assertThat(ron(init).err()).contains("there is a log");
    }

    private Said init(String passphrase, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("registry", "init", "--origin", "example.org/registry"));
        all.addAll(List.of("--keys", folder.resolve("k").toString()));
        all.addAll(List.of(
                "--passphrase-file",
                Files.writeString(folder.resolve("pass"), passphrase + "\n").toString()));
        all.addAll(List.of(more));
        if (!all.contains("--data")) {
            all.addAll(List.of("--data", folder.resolve("own").toString()));
        }
        return ron(all.toArray(String[]::new));
    }

    private void refused(Said said, ExitCode code, String... parts) {
        assertThat(said.code()).as(said.err()).isEqualTo(code.code());
        assertThat(said.err()).contains(parts);
        assertThat(said.err().lines()).hasSize(3);
        assertThat(said.out()).isEmpty();
    }

    @Test
    void noKeyIsMadeForALogThatIsRefused() throws IOException {
        refused(init("secret", "--signer", "org:acme#ann"), ExitCode.USAGE, "m 3 (expected: 1..1)", "--help");
        refused(init("secret", "--signer", "ann", "-m", "1"), ExitCode.USAGE, "ann", "org:NAME#WHO");
        refused(init("", "--signer", "org:acme#ann", "-m", "1"), ExitCode.USAGE, "empty", "--passphrase-file FILE");
        refused(
                init("secret", "--signer", "org:acme#ann", "-m", "1", "--put", "x", "--body", "{"),
                ExitCode.NO,
                "--body");
        assertThat(folder.resolve("k")).doesNotExist();
        assertThat(init("secret", "--signer", "org:acme#ann", "-m", "1").out()).contains("genesis b3:");
        refused(init("secret", "--signer", "org:acme#zoe", "-m", "1"), ExitCode.NO, "there is a log");
        assertThat(folder.resolve("k/zoe.key")).doesNotExist();
        String other = folder.resolve("other").toString();
        String key = folder.resolve("k/ann.key").toString();
        refused(
                init("secret", "--signer", "org:acme#zoe", "--signer", "org:acme#ann", "-m", "2", "--data", other),
                ExitCode.NO,
                key + " is there already",
                "--signer " + key);
        assertThat(folder.resolve("k/zoe.key")).doesNotExist();
        assertThat(init("secret", "--signer", "org:acme#zoe", "--signer", key, "-m", "2", "--data", other)
                        .out())
                .contains("2 of 2 must agree");
    }

    @Test
    void signersWhoAreCalledTheSameHaveAKeyFileEach() throws IOException {
        Said made = init(
                "secret",
                "--signer",
                "org:acme#ann",
                "--signer",
                "org:globex#ann",
                "--signer",
                "org:acme#ben",
                "-m",
                "2");
        assertThat(made.code()).as(made.err()).isZero();
        for (String name : List.of("acme_ann", "globex_ann", "ben")) {
            assertThat(folder.resolve("k").resolve(name + ".key")).isNotEmptyFile();
        }
    }

    // root | a folder of another account, as under systemd  ->  that account can use the log
    @Test
    void aLogThatRootBeginsBelongsToTheOwnerOfTheFolder() throws IOException {
        assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "skipped: only root can give files away");
        Path own = Files.createDirectories(folder.resolve("own"));
        Files.setAttribute(own, "unix:uid", 65_532);
        Files.setAttribute(own, "unix:gid", 65_533);
        Said made = init("secret", "--signer", "org:acme#ann", "-m", "1");
        assertThat(made.code()).as(made.err()).isZero();
        try (Stream<Path> all = Files.walk(own)) {
            for (Path path : all.toList()) {
                assertThat(Files.getAttribute(path, "unix:uid")).as("%s", path).isEqualTo(65_532);
                assertThat(Files.getAttribute(path, "unix:gid")).as("%s", path).isEqualTo(65_533);
            }
        }
    }

    // the node drains | a reader that was to go on  ->  it is told, and the exit code says so
    @Test
    void aStreamThatEndsIsNotASilentSuccess() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.createContext("/registry/stream", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (exchange) {
                exchange.getResponseBody()
                        .write("event: registry.update\ndata: {\"version\":2}\n\n".getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Said said = ron("registry", "watch", "--registry-url", url);
            assertThat(said.out()).contains("update {\"version\":2}");
            assertThat(said.code()).isEqualTo(ExitCode.NO.code());
            assertThat(said.err()).contains("ended", "closed it", "--since VERSION");
            assertThat(said.err().lines()).hasSize(3);
            assertThat(ron("registry", "watch", "--count", "1", "--registry-url", url)
                            .code())
                    .isZero();
        } finally {
            server.stop(0);
        }
    }
}
