package dev.ron.proof.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Statement;
import dev.ron.passport.PassportConfig;
import dev.ron.passport.PassportService;
import dev.ron.passport.kms.SigningEngine;
import dev.ron.proof.passport.OneService.Answer;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.RegistryService;
import dev.ron.registry.demo.DemoLog;
import dev.ron.registry.keys.SignerKey;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Section;
import dev.ron.service.keys.IssuerSource;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Tenants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An office whose policy stands in a registry's log: both real, each behind its own listener. */
@Timeout(120)
class GovernedPassportTest {
    @TempDir
    Path folder;

    private final MovableClock clock = new MovableClock();
    private int port;
    private B3 genesis = B3.ZERO;
    private Optional<OneService<RegistryService>> registry = Optional.empty();
    private Optional<OneService<PassportService>> office = Optional.empty();

    @BeforeEach
    void makeLog() throws Exception {
        port = freePort();
        OneService.LOG.reset();
        startRegistry("log");
        genesis = registry.orElseThrow().service.genesis().orElseThrow();
        Files.createDirectory(folder.resolve("office"));
        stopRegistry();
    }

    /** Not one that the system gives away by itself: the registry comes back to it after a while. */
    private static int freePort() throws IOException {
        for (int tried = 0; ; tried++) {
            int candidate = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(candidate, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException taken) {
                if (tried == 100) {
                    throw taken;
                }
            }
        }
    }

    @AfterEach
    void stop() {
        office.ifPresent(OneService::close);
        stopRegistry();
    }

    private void startRegistry(String log) throws Exception {
        registry = Optional.of(new OneService<>(
                Section.of("registry", RegistryConfig.class),
                clock,
                loops -> new RegistryService(
                        loops,
                        new dev.ron.registry.Setup(
                                "127.0.0.1",
                                port,
                                Optional.of(folder.resolve(log)),
                                Optional.empty(),
                                true,
                                Optional.of(folder.resolve(log + "-keys")),
                                64,
                                this::issuer)),
                List.of()));
    }

    private Optional<IssuerSource> issuer() {
        return office.map(running -> new IssuerSource(
                running.service.issuer(),
                "http://127.0.0.1:" + running.service.port(),
                () -> Optional.of(running.service.ownKey().reveal()),
                Tenants.ALL));
    }

    private void stopRegistry() {
        registry.ifPresent(OneService::close);
        registry = Optional.empty();
    }

    private void startOffice(String... more) throws Exception {
        List<String> settings = new ArrayList<>(List.of(
                "passport.registry.endpoint=http://127.0.0.1:" + port,
                "passport.registry.genesis=" + genesis,
                "passport.registry.timeout=2s",
                "passport.registry.interval=1s"));
        settings.addAll(List.of(more));
        office = Optional.of(new OneService<>(
                Section.of("passport", PassportConfig.class),
                clock,
                loops -> new PassportService(
                        loops,
                        new dev.ron.passport.Setup(
                                "127.0.0.1",
                                0,
                                Optional.of(folder.resolve("office")),
                                true,
                                SigningEngine.local(Signatures.best()),
                                Optional.empty(),
                                Optional.empty())),
                settings));
    }

    private void stopOffice() {
        office.ifPresent(OneService::close);
        office = Optional.empty();
    }

    private Answer issue(String... members) {
        PassportService service = office.orElseThrow().service;
        String body = "{\"subject_ref\":\"ann\",\"audience\":\"svc-registry\",\"tenant\":\"acme\""
                + Stream.of(members).map(member -> "," + member).reduce("", String::concat) + "}";
        try {
            return OneService.send(
                    "POST",
                    "http://127.0.0.1:" + service.port() + "/v1/passport/issue",
                    body,
                    service.bootstrapKey().orElseThrow().reveal());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String reason(String... members) {
        Answer answer = issue(members);
        return answer.status() == 200 ? "issued" : answer.body().path("reason").asString("");
    }

    private void awaitReason(String expected, String... members) {
        AtomicReference<String> last = new AtomicReference<>("");
        try {
            Eventually.await(expected, () -> {
                last.set(reason(members));
                return last.get().equals(expected);
            });
        } catch (AssertionError e) {
            throw new AssertionError(expected + " never came; last: " + last.get() + "\n" + log(), e);
        }
    }

    private static String log() {
        return OneService.LOG.toString(StandardCharsets.UTF_8);
    }

    private static Draft policy(int maxTtlSeconds, boolean frozen, String... required) {
        return Draft.of(
                "passport.issuer_policy",
                new ObjWriter()
                        .putAll("audiences", List.of("svc-registry"), Json.Str::new)
                        .putAll("caveats_allowed", List.of("scope"), Json.Str::new)
                        .put("caveats_max", new ObjWriter().put("rate_rps", 5).end())
                        .putAll("caveats_required", List.of(required), Json.Str::new)
                        .put("frozen", frozen)
                        .put("max_ttl_s", maxTtlSeconds)
                        .end());
    }

    /** Proposes, has two of three sign, commits: with tokens of the office, as people do. */
    private void govern(String token, Op op) throws Exception {
        String base = "http://127.0.0.1:" + port + "/registry";
        ChangeSet change = ChangeSet.of(new Body.Change(List.of(op)));
        AtomicReference<Answer> proposed = new AtomicReference<>();
        Eventually.await("the registry knows the office's keys", () -> {
            proposed.set(post(base + "/proposals", "{\"payload\":" + CanonicalJson.text(change.toJson()) + "}", token));
            return proposed.get().status() == 202;
        });
        String id = proposed.get().body().path("proposal_id").asString();
        Secret passphrase =
                Secret.of(Files.readString(folder.resolve("log-keys").resolve("passphrase"))
                        .strip());
        for (String signer : DemoLog.SIGNERS.subList(0, 2)) {
            SignerKey key = SignerKey.open(
                    Files.readAllBytes(folder.resolve("log-keys").resolve(DemoLog.fileOf(signer))), passphrase);
            Statement statement = new Statement(
                    proposed.get().body().path("origin").asString(),
                    id,
                    change.hash(),
                    Statement.Decision.APPROVE,
                    key.signerId(),
                    proposed.get().body().path("signer_set_version").asLong(),
                    Instant.now().toEpochMilli(),
                    Instant.now().plusSeconds(3600).toEpochMilli());
            Answer approved = post(
                    base + "/approvals/" + id,
                    CanonicalJson.text(Approval.sign(statement, key.signing()).toJson()),
                    token);
            assertThat(approved.status()).as(approved.body().toString()).isEqualTo(200);
        }
        Answer committed = post(base + "/commit/" + id, "{}", token);
        assertThat(committed.status()).as(committed.body().toString()).isEqualTo(201);
    }

    private static Answer post(String url, String body, String token) {
        try {
            return OneService.send("POST", url, body, token);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private String governorsToken() {
        return issue("\"caveats\":[\"scope=registry:propose,registry:approve,registry:commit\"]")
                .body()
                .path("token")
                .asString();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            all.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    // office before registry | registry comes | commit | registry dies | office restarts | policy too old
    //   ->  nothing, issued, obeyed, still issued, still issued, nothing; verification never minds
    @Test
    void theOfficeObeysTheLogAndOutlivesTheRegistryForThePolicysTime() throws Exception {
        startOffice();
        assertThat(reason()).isEqualTo("policy_missing");
        startRegistry("log");
        awaitReason("issued", "\"ttl_s\":3600");
        String token = governorsToken();

        govern(token, new Op.Put("passport.policy", 1, policy(120, false)));
        awaitReason("ttl_too_long", "\"ttl_s\":3600");
        assertThat(reason("\"ttl_s\":120")).isEqualTo("issued");
        assertThat(issue().body().path("policy_version").asInt()).isEqualTo(2);

        stopRegistry();
        assertThat(reason()).isEqualTo("issued");
        stopOffice();
        startOffice();
        awaitReason("issued");
        assertThat(reason("\"ttl_s\":3600")).isEqualTo("ttl_too_long");

        clock.move(Duration.ofMinutes(11));
        assertThat(reason()).isEqualTo("policy_stale");
        PassportService service = office.orElseThrow().service;
        Answer verified = post(
                "http://127.0.0.1:" + service.port() + "/v1/passport/verify",
                "{\"token\":\"" + token + "\"}",
                service.bootstrapKey().orElseThrow().reveal());
        assertThat(verified.body().path("parsed").path("sub").asString("")).isEqualTo("ann");

        startRegistry("log");
        awaitReason("issued");
        govern(token, new Op.Put("passport.policy", 2, policy(120, false, "scope")));
        awaitReason("caveat_out_of_bounds");
        assertThat(reason("\"caveats\":[\"scope=registry:propose\"]")).isEqualTo("issued");
    }

    // frozen by a quorum | thawed | removed  ->  nothing is issued, issued again, nothing is issued
    @Test
    void aQuorumCanStopIssuing() throws Exception {
        startOffice();
        startRegistry("log");
        awaitReason("issued");
        String token = governorsToken();
        govern(token, new Op.Put("passport.policy", 1, policy(600, true)));
        awaitReason("frozen");
        govern(token, new Op.Put("passport.policy", 2, policy(600, false)));
        awaitReason("issued");
        govern(token, new Op.Remove("passport.policy", 3));
        awaitReason("policy_missing");
    }

    // the log is set back to before a commit | the office restarts  ->  refused both times; the newer policy stays
    @Test
    void anOlderLogIsRefusedAlsoAfterARestart() throws Exception {
        copy(folder.resolve("log"), folder.resolve("older"));
        startOffice();
        startRegistry("log");
        awaitReason("issued", "\"ttl_s\":3600");
        govern(governorsToken(), new Op.Put("passport.policy", 1, policy(120, false)));
        awaitReason("ttl_too_long", "\"ttl_s\":3600");

        stopRegistry();
        startRegistry("older");
        awaitLog("was set back");
        assertThat(reason("\"ttl_s\":3600")).isEqualTo("ttl_too_long");
        stopOffice();
        OneService.LOG.reset();
        startOffice();
        awaitLog("was set back");
        assertThat(reason("\"ttl_s\":3600")).isEqualTo("ttl_too_long");
        assertThat(reason()).isEqualTo("issued");
    }

    @Test
    void anotherLogIsNotBelieved() throws Exception {
        startOffice();
        startRegistry("foreign");
        awaitLog("untrusted_genesis");
        assertThat(reason()).isEqualTo("policy_missing");
    }

    private static void awaitLog(String words) {
        Eventually.await(words, () -> log().contains(words));
    }
}
