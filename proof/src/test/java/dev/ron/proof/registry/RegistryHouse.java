package dev.ron.proof.registry;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.passport.PassportConfig;
import dev.ron.passport.PassportService;
import dev.ron.registry.RegistryConfig;
import dev.ron.registry.RegistryService;
import dev.ron.registry.RegistryTopology;
import dev.ron.registry.Setup;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.service.bus.Bus;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.keys.IssuerSource;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.token.keys.Tenants;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A registry with a log of its own (two of three signers) and the office that issues tokens for it, both on real sockets. */
final class RegistryHouse implements AutoCloseable {
    static final String ORIGIN = "proof.example/registry";

    private static final List<Section<?>> SECTIONS =
            List.of(Section.of("passport", PassportConfig.class), Section.of("registry", RegistryConfig.class));

    final List<SignerKey> signers;
    private final EventLoops loops = new EventLoops("house", 1);
    private final Frame frame;
    private final PassportService passport;
    private final RegistryService registry;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String token;

    /** @param settings as {@code registry.stream.heartbeat=1s} */
    RegistryHouse(Path folder, String... settings) throws Exception {
        SecureRandom random = new SecureRandom();
        signers = IntStream.range(0, 3)
                .mapToObj(i -> SignerKey.generate("org:o" + i + "#s" + i, false, random))
                .toList();
        found(folder, random);
        Sources given = Sources.none().withSet("registry.limits.rps=0");
        for (String setting : settings) {
            given = given.withSet(setting);
        }
        Sources sources = given;
        if (!(ConfigLoader.load(SECTIONS, sources) instanceof ConfigResult.Loaded(var config))) {
            throw new AssertionError("the settings above are wrong");
        }
        frame = Frame.open(
                FrameSettings.defaults(),
                Clock.system(),
                config,
                () -> ConfigLoader.load(SECTIONS, sources),
                Logs.install(LogFormat.TEXT, "warn", new ByteArrayOutputStream()));
        passport = new PassportService(loops, dev.ron.passport.Setup.of("127.0.0.1", 0, Optional.empty(), true));
        registry = new RegistryService(
                loops,
                new Setup(
                        "127.0.0.1",
                        0,
                        Optional.of(folder),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        RegistryTopology.COMMITTED,
                        () -> Optional.of(new IssuerSource(
                                passport.issuer(),
                                "http://127.0.0.1:" + passport.port(),
                                () -> Optional.of(passport.ownKey().reveal()),
                                Tenants.ALL))));
        frame.start(List.of(passport, registry));
        token = token("scope=registry:propose,registry:approve,registry:commit");
        awaitIssuer();
    }

    /** Until the registry has heard from the office what is revoked, it takes no write from anybody. */
    private void awaitIssuer() throws IOException, InterruptedException {
        while (post("/registry/proposals", "[]").statusCode() == 503) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** A token for the registry with these caveats. */
    String token(String... caveats) throws Exception {
        String order = "{\"subject_ref\":\"proof\",\"audience\":[\"svc-registry\"],\"ttl_s\":600,\"caveats\":["
                + Stream.of(caveats).map(caveat -> '"' + caveat + '"').collect(Collectors.joining(",")) + "]}";
        HttpResponse<String> issued = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + passport.port() + "/v1/passport/issue"))
                        .header("Content-Type", "application/json")
                        .header(
                                "Authorization",
                                "Bearer "
                                        + passport.bootstrapKey().orElseThrow().reveal())
                        .POST(HttpRequest.BodyPublishers.ofString(order))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return text(issued.body(), "token");
    }

    private void found(Path folder, SecureRandom random) throws Exception {
        RealDisk disk = new RealDisk(folder);
        LogKeys keys = LogKeys.generate(random);
        keys.write(disk);
        ChangeSet genesis = ChangeSet.of(new Body.Genesis(
                ORIGIN,
                keys.verifiers(ORIGIN),
                SignerSet.initial(2, signers.stream().map(SignerKey::signer).toList()),
                List.of()));
        try (SegmentStore store = SegmentStore.open(disk, 4L << 20)) {
            Store.Recovery _ = store.replay((seq, records) -> {});
            Registry.create(store, Limits.DEFAULT, Optional::empty, genesis, System.currentTimeMillis());
        }
    }

    static String text(String json, String name) {
        int at = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(at, json.indexOf('"', at));
    }

    static ChangeSet put(String id, long rev) {
        return ChangeSet.of(new Body.Change(List.of(new Op.Put(
                id,
                rev,
                Draft.of("service", new ObjWriter().put("url", "http://a").end())))));
    }

    Bus bus() {
        return frame.bus();
    }

    int port() {
        return registry.port();
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + registry.port() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token);
    }

    /** Without a body, and without a word of what is wanted. */
    HttpResponse<byte[]> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = to(path).GET();
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(to(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    static String order(ChangeSet payload) {
        return CanonicalJson.text(
                new ObjWriter().put("payload", payload.toJson()).end());
    }

    /** Proposes and answers the id. */
    String propose(ChangeSet payload) throws Exception {
        HttpResponse<String> answer = post("/registry/proposals", order(payload));
        if (answer.statusCode() != 202) {
            throw new AssertionError(answer.body());
        }
        return text(answer.body(), "proposal_id");
    }

    Approval approval(SignerKey key, String origin, String id, ChangeSet payload, long validMs) {
        long now = System.currentTimeMillis();
        return Approval.sign(
                new Statement(
                        origin,
                        id,
                        payload.hash(),
                        Statement.Decision.APPROVE,
                        key.signerId(),
                        1,
                        now - 1000,
                        now + validMs),
                key.signing());
    }

    HttpResponse<String> approve(String id, Approval approval) throws IOException, InterruptedException {
        return post("/registry/approvals/" + id, CanonicalJson.text(approval.toJson()));
    }

    /** From proposal to commit. */
    void change(ChangeSet payload) throws Exception {
        String id = propose(payload);
        for (SignerKey key : signers.subList(0, 2)) {
            HttpResponse<String> approved = approve(id, approval(key, ORIGIN, id, payload, 60_000));
            if (approved.statusCode() != 200) {
                throw new AssertionError(approved.body());
            }
        }
        HttpResponse<String> committed = post("/registry/commit/" + id, "{}");
        if (committed.statusCode() != 201) {
            throw new AssertionError(committed.body());
        }
    }

    @Override
    public void close() {
        frame.shutdown().request("test", "done");
        frame.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
        client.close();
        loops.close();
    }
}
