package dev.ron.bench.registry;

import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import dev.ron.registry.tlog.LogKeys;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Five signers of whom three must approve, and the logs they found. */
final class Council {
    private static final String ORIGIN = "bench.example/registry";
    private static final int M = 3;
    private static final int N = 5;
    private static final long VALID_MS = 3_600_000;

    /** As many descriptors as a large registry has: each is changed in its turn, here and in etcd. */
    static final int NAMES = 50_000;

    private final List<SignerKey> signers;

    Council(SecureRandom random) {
        signers = IntStream.range(0, N)
                .mapToObj(i -> SignerKey.generate("org:o" + i + "#s" + i, false, random))
                .toList();
    }

    /** Founds a log with nothing in it but its genesis. */
    void found(Path log) throws Exception {
        RealDisk disk = new RealDisk(log);
        LogKeys keys = LogKeys.generate(new SecureRandom());
        keys.write(disk);
        ChangeSet genesis = ChangeSet.of(new Body.Genesis(
                ORIGIN,
                keys.verifiers(ORIGIN),
                SignerSet.initial(M, signers.stream().map(SignerKey::signer).toList()),
                List.of()));
        try (SegmentStore store = SegmentStore.open(disk, 64L << 20)) {
            Store.Recovery _ = store.replay((seq, records) -> {});
            Registry.create(store, Limits.DEFAULT, Optional::empty, genesis, System.currentTimeMillis());
        }
    }

    /** As many approvals as are needed. */
    List<Approval> approvals(String proposalId, ChangeSet payload) {
        long now = System.currentTimeMillis();
        return signers.subList(0, M).stream()
                .map(key -> Approval.sign(
                        new Statement(
                                ORIGIN,
                                proposalId,
                                payload.hash(),
                                Statement.Decision.APPROVE,
                                key.signerId(),
                                1,
                                now,
                                now + VALID_MS),
                        key.signing()))
                .toList();
    }

    static String name(long n) {
        return "b." + n % NAMES;
    }

    static Draft draft(long n) {
        return Draft.of(
                "service",
                new ObjWriter()
                        .put("url", "http://10.0.0.1:8080/" + n)
                        .put("weight", 1)
                        .end());
    }
}
