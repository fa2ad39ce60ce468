package dev.ron.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ActionsTest {
    private static final String[] ADMIN = {"X-User", "ada", "X-Groups", "admin"};

    @TempDir
    Path folder;

    private final FakeNode node = new FakeNode();
    private ConsoleProcess console;

    @BeforeEach
    void start() throws Exception {
        console = console();
    }

    private ConsoleProcess console(String... more) throws Exception {
        String[] base = {
            "admin.auth.mode=ingress",
            "admin.auth.ingress.trusted_proxies=127.0.0.0/8",
            "admin.ui.read_only=false",
            "admin.actions.enable_reload=true",
            "admin.actions.enable_shutdown=true",
            "admin.upstream.action_timeout=500ms",
            "admin.nodes.n1.base_url=" + node.url(),
            "admin.nodes.n1.environment=prod",
            "admin.nodes.n1.read_credential_file=" + secret("reader"),
            "admin.nodes.n1.action_credential_file=" + secret("actor")
        };
        String[] all = Arrays.copyOf(base, base.length + more.length);
        System.arraycopy(more, 0, all, base.length, more.length);
        ConsoleProcess started = new ConsoleProcess(Optional.of(folder), Optional.empty(), all);
        Eventually.await(
                "the node was asked",
                () -> started.get("/api/nodes/n1", ADMIN)
                        .body()
                        .path("actions")
                        .path("reload")
                        .asBoolean(false));
        return started;
    }

    private Path secret(String text) throws IOException {
        Path file = folder.resolve(text + ".secret");
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text);
        }
        return file;
    }

    @AfterEach
    void stop() {
        console.close();
        node.close();
    }

    private ConsoleProcess.Answer act(String action, String body, String... headers) {
        return console.send(
                "POST", "/api/nodes/n1/" + action, body, headers.length == 0 ? console.ownPage(ADMIN) : headers);
    }

    private static final String GOOD = "{\"confirm\":\"n1\",\"reason\":\"rotate the certificates\"}";

    private List<JsonNode> audit() {
        return console.get("/api/audit", ADMIN)
                .body()
                .path("records")
                .valueStream()
                .toList();
    }

    @Test
    void anActionIsOnRecordBeforeAndAfterIt() throws IOException {
        node.on("/api/v1/reload", (peer, n) -> {
            // When the node is called, the intent is on disk already.
            assertThat(lines())
                    .anyMatch(line -> line.contains("\"intent\"") && line.contains("rotate the certificates"));
            peer.write(FakeNode.answer(202, "application/json", "{\"accepted\":true,\"outcome\":\"applied\"}"));
        });
        ConsoleProcess.Answer answer = act("reload", GOOD);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("outcome").asString("")).isEqualTo("ok");
        assertThat(answer.body().path("accepted").asBoolean(false)).isTrue();
        assertThat(audit()).extracting(r -> r.path("phase").asString("")).containsExactly("outcome", "intent");
        assertThat(audit().getFirst().path("seq").asLong(0))
                .isEqualTo(answer.body().path("auditSeq").asLong(-1));
        assertThat(audit().getFirst().path("subject").asString("")).isEqualTo("ada");
    }

    private List<String> lines() {
        try (var files = Files.list(folder)) {
            return files.filter(f -> f.toString().endsWith(".jsonl"))
                    .sorted()
                    .flatMap(f -> {
                        try {
                            return Files.readAllLines(f).stream();
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Scrapes and probes never carry the credential that can act, and actions never the other. */
    @Test
    void readAndActionCredentialsAreKeptApart() {
        act("reload", GOOD);
        assertThat(node.requests("POST")).hasSize(1).allMatch(request -> request.contains("Bearer actor"));
        assertThat(node.requests("GET")).isNotEmpty().allMatch(request -> request.contains("Bearer reader"));
        assertThat(node.requests("POST").getFirst()).contains("X-Operator: ada").contains("Idempotency-Key: ");
    }

    @Test
    void eachCheckRefusesInItsOrderAndIsAudited() {
        assertThat(act("reload", "{\"confirm\":\"n2\",\"reason\":\"long enough\"}")
                        .body()
                        .path("reason")
                        .asString(""))
                .isEqualTo("confirmation_mismatch");
        assertThat(act("reload", "{\"confirm\":\"n1\"}").body().path("reason").asString(""))
                .isEqualTo("reason_required");
        assertThat(act("reload", "{\"confirm\":\"n1\",\"x\":1}").status()).isEqualTo(400);
        assertThat(act("drain", GOOD).body().path("reason").asString("")).isEqualTo("action_disabled");
        console.reload("admin.ui.read_only=true");
        assertThat(act("reload", GOOD).body().path("reason").asString("")).isEqualTo("read_only");
        console.reload("admin.ui.read_only=false");
        assertThat(node.requests("POST")).isEmpty();
        assertThat(audit())
                .hasSize(4)
                .allMatch(record -> record.path("phase").asString("").equals("rejected"));
    }

    /** Whoever repeats what is refused neither fills the log nor pushes what was done out of it. */
    @Test
    void refusalsOfOnePersonAreRecordedUpToABound() {
        for (int i = 0; i < 20; i++) {
            assertThat(act("drain", GOOD).body().path("reason").asString("")).isEqualTo("action_disabled");
        }
        for (int i = 0; i < 5; i++) {
            ConsoleProcess.Answer more = act("drain", GOOD);
            assertThat(more.status()).isEqualTo(429);
            assertThat(Integer.parseInt(more.header("Retry-After"))).isBetween(1, 60);
        }
        assertThat(audit()).hasSize(21);
        assertThat(audit().getFirst().path("code").asString("")).isEqualTo("more_refused");
        assertThat(console.count("svc_admin_actions_total", Map.of("action", "drain", "result", "denied")))
                .as("all are counted")
                .isEqualTo(25);
        assertThat(act("reload", GOOD).status()).as("what is allowed still is").isEqualTo(200);
    }

    @Test
    void whoHasNotTheRoleOrNotOurPageIsOnRecordToo() {
        String[] viewer = {"X-User", "vic", "X-Groups", "viewer"};
        assertThat(act("reload", GOOD, console.ownPage(viewer)).status()).isEqualTo(403);
        String[] foreign = console.ownPage(ADMIN);
        foreign[List.of(foreign).indexOf("Origin") + 1] = "https://evil.example";
        assertThat(act("shutdown", GOOD, foreign).status()).isEqualTo(403);
        assertThat(console.send("POST", "/api/console/reload", "{}", console.ownPage(viewer))
                        .status())
                .isEqualTo(403);
        assertThat(audit())
                .extracting(r -> r.path("phase").asString("") + " "
                        + r.path("subject").asString("") + " "
                        + r.path("nodeId").asString("") + " "
                        + r.path("action").asString("") + " " + r.path("code").asString(""))
                .containsExactly(
                        "rejected vic self reload forbidden",
                        "rejected ada n1 shutdown csrf",
                        "rejected vic n1 reload forbidden");
    }

    @Test
    void aReloadOfTheConsoleIsAnActionToo() {
        ConsoleProcess.Answer done = console.send("POST", "/api/console/reload", "{}", console.ownPage(ADMIN));
        assertThat(done.status()).isEqualTo(202);
        assertThat(audit())
                .extracting(r -> r.path("phase").asString("") + " "
                        + r.path("nodeId").asString("") + " " + r.path("action").asString("") + " "
                        + r.path("result").asString(""))
                .containsExactly("outcome self reload ok", "intent self reload pending");
        console.reload("admin.ui.read_only=true");
        ConsoleProcess.Answer refused = console.send("POST", "/api/console/reload", "{}", console.ownPage(ADMIN));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body().path("reason").asString("")).isEqualTo("read_only");
        assertThat(audit().getFirst().path("phase").asString("")).isEqualTo("rejected");
    }

    @Test
    void theSameKeyIsTheSameActionAndHasTheSameAnswer() {
        String[] page = console.ownPage(ADMIN);
        ConsoleProcess.Answer first = act("reload", GOOD, page);
        ConsoleProcess.Answer again = act("reload", GOOD, page);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.header("Idempotent-Replay")).isEqualTo("true");
        assertThat(node.requests("POST")).hasSize(1);
        assertThat(act("shutdown", GOOD, page).body().path("reason").asString(""))
                .isEqualTo("key_reused");
    }

    @Test
    void aSecondActionOfTheSameKindMustWait() {
        assertThat(act("reload", GOOD).status()).isEqualTo(200);
        ConsoleProcess.Answer second = act("reload", GOOD);
        assertThat(second.status()).isEqualTo(429);
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 30);
        assertThat(node.requests("POST")).hasSize(1);
    }

    /** The call is made once; an answer that is lost leaves the outcome unknown, and that is said. */
    @Test
    void aLostAnswerIsUnknownAndNotTriedAgain() {
        node.on("/api/v1/shutdown", (peer, n) -> peer.awaitClose());
        ConsoleProcess.Answer answer = act("shutdown", GOOD);
        assertThat(answer.body().path("outcome").asString("")).isEqualTo("unknown");
        assertThat(answer.body().path("accepted").isNull()).isTrue();
        assertThat(answer.body().path("message").asString("")).contains("may or may not");
        assertThat(node.requests("POST /api/v1/shutdown")).hasSize(1);
        assertThat(audit().getFirst().path("result").asString("")).isEqualTo("unknown");
    }

    @Test
    void theChainIsKeptOverAStartAndAnEditedLineIsFound() throws Exception {
        act("reload", GOOD);
        console.close();
        console = console();
        assertThat(console.get("/api/audit", ADMIN).body().path("chainOk").asBoolean(false))
                .isTrue();
        act("reload", GOOD);
        assertThat(audit()).hasSize(4);
        assertThat(audit().get(1).path("prevHash").asString(""))
                .isEqualTo(audit().get(2).path("hash").asString(""));
        console.close();
        Path file;
        try (var files = Files.list(folder)) {
            file = files.filter(f -> f.toString().endsWith(".jsonl"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.writeString(file, Files.readString(file).replaceFirst("\"subject\":\"ada\"", "\"subject\":\"eve\""));
        console = console();
        JsonNode page = console.get("/api/audit", ADMIN).body();
        assertThat(page.path("chainOk").asBoolean(true)).isFalse();
        assertThat(page.path("chainCause").asString("")).contains("was changed");
        assertThat(console.count("svc_admin_audit_chain_breaks_total", Map.of()))
                .isEqualTo(1);
    }

    /** 279 letters and an emoji are one more than is kept: what is kept must not end in half of it. */
    @Test
    void aReasonThatIsCutInAnEmojiKeepsTheChainWhole() throws Exception {
        String reason = "x".repeat(279) + "😀";
        assertThat(act("reload", "{\"confirm\":\"n1\",\"reason\":\"" + reason + "\"}")
                        .body()
                        .path("reason")
                        .asString(""))
                .isEqualTo("reason_required");
        assertThat(act("reload", "{\"confirm\":\"n1\",\"reason\":\"half of one: \\ud83d\"}")
                        .status())
                .isEqualTo(400);
        console.close();
        console = console();
        assertThat(console.get("/api/audit", ADMIN).body().path("chainOk").asBoolean(false))
                .isTrue();
        assertThat(audit()).hasSize(1);
        assertThat(audit().getFirst().path("reason").asString("")).isEqualTo("x".repeat(279));
    }

    /** A process that dies while it writes leaves half a line, which nobody was told of. */
    @Test
    void aTornLastLineIsCutOff() throws Exception {
        act("reload", GOOD);
        console.close();
        Path file;
        try (var files = Files.list(folder)) {
            file = files.filter(f -> f.toString().endsWith(".jsonl"))
                    .findFirst()
                    .orElseThrow();
        }
        Files.writeString(file, Files.readString(file) + "{\"seq\":3,\"at\":\"2026");
        console = console();
        assertThat(console.get("/api/audit", ADMIN).body().path("chainOk").asBoolean(false))
                .isTrue();
        act("reload", GOOD);
        assertThat(audit()).hasSize(4);
    }

    /** Where the line cannot be written the node is not called. */
    @Test
    void withoutItsRecordNothingIsDone() throws Exception {
        console.close();
        console = console("admin.audit.max_bytes=4KiB");
        // The file is full and its folder is gone: the next file cannot be begun.
        Files.move(folder, folder.resolveSibling(folder.getFileName() + "-gone"));
        ConsoleProcess.Answer answer = act("reload", GOOD);
        for (int i = 0; i < 40 && answer.status() != 503; i++) {
            answer = act("reload", GOOD);
        }
        int called = node.requests("POST").size();
        answer = act("shutdown", GOOD);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().path("reason").asString("")).isEqualTo("audit_unavailable");
        assertThat(node.requests("POST")).hasSize(called);
        Files.move(folder.resolveSibling(folder.getFileName() + "-gone"), folder);
    }
}
