package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who may approve and how many it takes; it lives in signed entries only, never in configuration.
 *
 * <p>The constructor refuses a set that could not reach its own quorum: such a set would freeze the log for ever.
 */
public record SignerSet(
        long setVersion,
        int m,
        int kPq,
        int minOrgs,
        int proposalTtlHours,
        boolean autoCommit,
        Thresholds thresholds,
        List<Signer> signers) {
    private static final int MAX_SIGNERS = 128;

    /** Approvals needed by kind of change; none below m. */
    public record Thresholds(int change, int signerSet, int supersede) {
        /** Corrections default to two thirds: they are rare and say that something went wrong. */
        public static Thresholds defaults(int m, int activeSigners) {
            return new Thresholds(m, m, Math.max(m, Math.ceilDiv(2 * activeSigners, 3)));
        }

        static Thresholds fromJson(Json value, String what) throws Refused {
            Fields fields = Fields.of(value, what);
            int change = (int) fields.integer("change", 1, MAX_SIGNERS);
            int signerSet = (int) fields.integer("signer_set", 1, MAX_SIGNERS);
            int supersede = (int) fields.integer("supersede", 1, MAX_SIGNERS);
            return fields.build(() -> new Thresholds(change, signerSet, supersede));
        }

        Json toJson() {
            return new ObjWriter()
                    .put("change", change)
                    .put("signer_set", signerSet)
                    .put("supersede", supersede)
                    .end();
        }
    }

    public SignerSet {
        signers = List.copyOf(signers);
        Grammar.requireNatural("set_version", setVersion);
        requireDistinct(signers);
        List<Signer> active = signers.stream().filter(Signer::isActive).toList();
        requireReachable("m", m, 1, active.size());
        requireReachable("thresholds.change", thresholds.change, m, active.size());
        requireReachable("thresholds.signer_set", thresholds.signerSet, m, active.size());
        requireReachable("thresholds.supersede", thresholds.supersede, m, active.size());
        requireReachable("k_pq", kPq, 0, (int)
                active.stream().filter(Signer::isPostQuantum).count());
        requireReachable("min_orgs", minOrgs, 1, (int)
                active.stream().map(Signer::org).distinct().count());
        requireReachable("proposal_ttl_h", proposalTtlHours, 1, 24 * 90);
    }

    public static SignerSet initial(int m, List<Signer> signers) {
        return new SignerSet(1, m, 0, 1, 72, false, Thresholds.defaults(m, signers.size()), signers);
    }

    private static void requireReachable(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "signer set: " + name + " " + value + " (expected: " + min + ".." + max + ")");
        }
    }

    // One key under two signers, or one signer twice, would let one person count twice.
    private static void requireDistinct(List<Signer> signers) {
        Grammar.requireAtMost("signers", signers.size(), MAX_SIGNERS);
        Set<String> ids = new HashSet<>();
        Set<B3> keys = new HashSet<>();
        for (Signer signer : signers) {
            if (!ids.add(signer.signerId())) {
                throw new IllegalArgumentException("signer set: " + signer.signerId() + " is listed twice");
            }
            signer.keys().forEach(key -> {
                if (!keys.add(key.keyId())) {
                    throw new IllegalArgumentException("signer set: key " + key.keyId() + " is listed twice");
                }
            });
        }
    }

    /** Active signers: the n of m-of-n. */
    public int n() {
        return (int) signers.stream().filter(Signer::isActive).count();
    }

    public Optional<Signer> signer(String signerId) {
        return signers.stream()
                .filter(signer -> signer.signerId().equals(signerId))
                .findFirst();
    }

    /** Approvals needed for a kind of change; genesis needs none, its authority is its pinned hash. */
    public int threshold(Kind kind) {
        return switch (kind) {
            case GENESIS -> 0;
            case CHANGE, REPLACE_ALL -> thresholds.change;
            case SIGNER_SET -> thresholds.signerSet;
            case SUPERSEDE -> thresholds.supersede;
        };
    }

    public static SignerSet fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        long setVersion = fields.integer("set_version", 1, Json.MAX_INTEGER);
        int m = (int) fields.integer("m", 1, MAX_SIGNERS);
        int kPq = (int) fields.integer("k_pq", 0, MAX_SIGNERS);
        int minOrgs = (int) fields.integer("min_orgs", 1, MAX_SIGNERS);
        int ttl = (int) fields.integer("proposal_ttl_h", 1, 24 * 90);
        boolean autoCommit = fields.bool("auto_commit");
        Thresholds thresholds = fields.one("thresholds", Thresholds::fromJson);
        List<Signer> signers = fields.list("signers", MAX_SIGNERS, Signer::fromJson);
        return fields.build(() -> new SignerSet(setVersion, m, kPq, minOrgs, ttl, autoCommit, thresholds, signers));
    }

    public Json.Obj toJson() {
        return new ObjWriter()
                .put("set_version", setVersion)
                .put("m", m)
                .put("k_pq", kPq)
                .put("min_orgs", minOrgs)
                .put("proposal_ttl_h", proposalTtlHours)
                .put("auto_commit", autoCommit)
                .put("thresholds", thresholds.toJson())
                .putAll("signers", signers, Signer::toJson)
                .end();
    }
}
