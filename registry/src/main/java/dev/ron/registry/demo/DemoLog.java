package dev.ron.registry.demo;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.SignerSet;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Savepoint;
import dev.ron.registry.book.Turn;
import dev.ron.registry.disk.Disk;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.Store;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.service.config.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A log for the demo: two of three signers decide, the passport's policy is in the genesis, one proposal waits. */
public final class DemoLog {
    public static final String ORIGIN = "demo.ron.local/registry";
    public static final String POLICY_ID = "passport.policy";
    public static final List<String> SIGNERS = List.of("org:acme#ann", "org:acme#ben", "org:globex#cleo");

    private static final int M = 2;

    private DemoLog() {}

    /** Makes the log; the signers' keys are written where a folder is given, and forgotten otherwise. */
    public static Registry create(
            Store store,
            Limits limits,
            Savepoint.Source savepoints,
            String origin,
            LogKeys logKeys,
            Optional<Path> keysFolder,
            long nowMs)
            throws IOException, Refused {
        SecureRandom random = new SecureRandom();
        List<SignerKey> keys = new ArrayList<>();
        for (String signer : SIGNERS) {
            keys.add(SignerKey.generate(signer, false, random));
        }
        if (keysFolder.isPresent()) {
            writeKeys(new RealDisk(keysFolder.get()), keys, random);
        }
        SignerSet set =
                SignerSet.initial(M, keys.stream().map(SignerKey::signer).toList());
        keys.forEach(key -> key.ed25519().wipe());
        Body.Genesis genesis = new Body.Genesis(
                origin,
                logKeys.verifiers(origin),
                set,
                List.of(new Item(POLICY_ID, policy(3600)), new Item("svc.demo", service("http://127.0.0.1:8086"))));
        Registry registry = Registry.create(store, limits, savepoints, ChangeSet.of(genesis), nowMs);
        Turn turn = registry.begin(nowMs);
        ChangeSet shorter = new ChangeSet(
                ChangeSet.SCHEMA,
                new Body.Change(List.of(new Op.Put(POLICY_ID, 1, policy(1800)))),
                Optional.empty(),
                Optional.of("Tokens should live half an hour at most."));
        Proposal waiting = Proposal.of(
                shorter, "acme/ann", "demo", nowMs, nowMs + Duration.ofDays(3).toMillis());
        turn.take(new Command.Propose(waiting), new Turn.By("acme/ann", "demo"));
        registry.write(turn);
        return registry;
    }

    private static void writeKeys(Disk disk, List<SignerKey> keys, SecureRandom random) throws IOException {
        byte[] bytes = new byte[24];
        random.nextBytes(bytes);
        String passphrase = HexFormat.of().formatHex(bytes);
        disk.replace("passphrase", (passphrase + "\n").getBytes(StandardCharsets.UTF_8));
        for (SignerKey key : keys) {
            disk.replace(fileOf(key.signerId()), key.seal(Secret.of(passphrase), random));
        }
    }

    /** {@code ann.key} for {@code org:acme#ann}. */
    public static String fileOf(String signerId) {
        return signerId.substring(signerId.indexOf('#') + 1) + ".key";
    }

    static Draft policy(int maxTtlSeconds) {
        return Draft.of(
                "passport.issuer_policy",
                new ObjWriter()
                        .putAll("alg_set", List.of("ed25519", "ml-dsa-65"), Json.Str::new)
                        .putAll(
                                "audiences",
                                List.of(
                                        "svc-gateway",
                                        "svc-edge",
                                        "svc-registry",
                                        "svc-admin",
                                        "svc-passport",
                                        "svc-demo"),
                                Json.Str::new)
                        .putAll(
                                "caveats_allowed",
                                List.of(
                                        "exp", "nbf", "aud", "scope", "method", "path", "tenant", "ip", "bytes", "rate",
                                        "budget", "bind"),
                                Json.Str::new)
                        .put("default_ttl_s", 900)
                        .put("frozen", false)
                        .put("max_ttl_s", maxTtlSeconds)
                        .put("pq_mode", "hybrid")
                        .end());
    }

    private static Draft service(String url) {
        return new Draft(
                "service",
                new ObjWriter().put("url", url).put("weight", 1).end(),
                new TreeMap<>(),
                java.util.OptionalLong.empty());
    }
}
