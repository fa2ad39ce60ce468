package dev.ron.passport.policy;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.bundle.BundleVerifier;
import dev.ron.ledger.bundle.Trust;
import dev.ron.ledger.bundle.Verdict;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.model.Descriptor;
import dev.ron.token.verify.PqMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the issuer policy out of a registry's bundle, trusting nothing but the hash of the log's genesis.
 *
 * <p>A policy with a member that is not known here is refused whole: what it asks for could not be kept.
 */
public final class PolicyBundle {
    public static final String KIND = "passport.issuer_policy";

    private static final int MAX_TTL_SECONDS = 24 * 3600;
    private static final int DEFAULT_TTL_SECONDS = 900;
    private static final int MAX_NAMES = 256;
    private static final long MAX = (1L << 53) - 1;

    private final B3 genesis;
    private final String id;
    private final String issuer;

    /**
     * @param genesis names the log whose word counts
     * @param id the descriptor that is the policy
     * @param issuer whose policy it must be, if it says whose it is
     */
    public PolicyBundle(B3 genesis, String id, String issuer) {
        this.genesis = genesis;
        this.id = id;
        this.issuer = issuer;
    }

    public B3 genesis() {
        return genesis;
    }

    public Offer read(byte[] bytes) throws Refused {
        return switch (new BundleVerifier(Trust.pinned(genesis)).verify(bytes)) {
            case Verdict.Bad(Reason reason, String detail) -> throw new Refused(reason, detail);
            case Verdict.Ok ok -> offer(ok, new String(bytes, StandardCharsets.UTF_8));
        };
    }

    private Offer offer(Verdict.Ok ok, String text) throws Refused {
        // Only the newest entry says what holds now.
        if (!ok.isHead() || !ok.values().containsKey(id)) {
            throw new Refused(Reason.INCOMPLETE, "the bundle does not say what " + id + " is at the head of the log");
        }
        // Without it nobody could tell this from what was true long ago.
        long seenAt = ok.seenAtSeconds()
                .orElseThrow(() -> new Refused(
                        Reason.NOTE_UNVERIFIED, "checkpoint: no signature of the log says when it was made"));
        Place place = new Place(genesis, ok.checkpoint().size(), ok.checkpoint().root());
        Optional<Descriptor> live =
                ok.values().getOrDefault(id, Optional.empty()).filter(Descriptor::isLive);
        Optional<Policy> policy = live.isEmpty() ? Optional.empty() : Optional.of(policy(live.get(), place));
        return new Offer(place, policy, text, seenAt);
    }

    private Policy policy(Descriptor descriptor, Place place) throws Refused {
        if (!descriptor.content().kind().equals(KIND)) {
            throw new Refused(
                    Reason.MALFORMED, id + " is of kind " + descriptor.content().kind() + " (expected: " + KIND + ")");
        }
        Fields fields = Fields.of(descriptor.content().body(), id);
        long maxTtl = fields.integer("max_ttl_s", 1, MAX_TTL_SECONDS);
        long defaultTtl =
                fields.optionalInteger("default_ttl_s", 1, maxTtl).orElse(Math.min(DEFAULT_TTL_SECONDS, maxTtl));
        List<String> audiences = fields.list("audiences", MAX_NAMES, Fields::string);
        List<String> caveats = fields.list("caveats_allowed", MAX_NAMES, Fields::string);
        CaveatBounds bounds = bounds(fields);
        PqMode pq = fields.optional("pq_mode", PolicyBundle::pq).orElse(PqMode.OFF);
        boolean frozen = fields.optional("frozen", PolicyBundle::bool).orElse(false);
        requireSignable(fields, pq);
        requireOurs(fields);
        long until = descriptor.content().expiresAtMs().isPresent()
                ? descriptor.content().expiresAtMs().getAsLong() / 1000
                : Policy.NEVER_STALE;
        return fields.build(() -> new Policy(
                descriptor.rev(),
                maxTtl,
                defaultTtl,
                audiences,
                caveats,
                bounds,
                pq,
                frozen,
                until,
                Optional.of(place)));
    }

    private static CaveatBounds bounds(Fields fields) throws Refused {
        List<String> required = fields.optionalList("caveats_required", MAX_NAMES, Fields::string);
        return fields.optional("caveats_max", (value, what) -> {
                    Fields most = Fields.of(value, what);
                    long bytes = most.optionalInteger("bytes", 1, MAX).orElse(0);
                    long reqs = most.optionalInteger("budget_reqs", 1, MAX).orElse(0);
                    long budgetBytes =
                            most.optionalInteger("budget_bytes", 1, MAX).orElse(0);
                    long rps = most.optionalInteger("rate_rps", 1, MAX).orElse(0);
                    return most.build(() -> new CaveatBounds(required, bytes, reqs, budgetBytes, rps));
                })
                .orElseGet(() -> new CaveatBounds(required, 0, 0, 0, 0));
    }

    private static PqMode pq(Json value, String what) throws Refused {
        String word = Fields.string(value, what);
        for (PqMode mode : PqMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(word)) {
                return mode;
            }
        }
        throw new Refused(Reason.MALFORMED, what + ": not off, hybrid or enforce");
    }

    private static boolean bool(Json value, String what) throws Refused {
        if (value instanceof Json.Bool(boolean yes)) {
            return yes;
        }
        throw new Refused(Reason.MALFORMED, what + ": not true or false");
    }

    private static void requireSignable(Fields fields, PqMode pq) throws Refused {
        Optional<List<String>> algorithms =
                fields.optional("alg_set", (value, what) -> Fields.items(value, MAX_NAMES, what, Fields::string));
        if (algorithms.isEmpty()) {
            return;
        }
        boolean signs = algorithms.get().contains("ed25519");
        boolean coSigns = pq == PqMode.OFF || algorithms.get().contains("ml-dsa-65");
        if (!signs || !coSigns) {
            throw fields.wrong("alg_set", "does not hold what tokens are signed with (ed25519, and ml-dsa-65 for pq)");
        }
    }

    private void requireOurs(Fields fields) throws Refused {
        Optional<String> named = fields.optionalString("issuer");
        if (named.isPresent() && !named.get().equals(issuer)) {
            throw fields.wrong("issuer", "is another one (expected: " + issuer + ")");
        }
    }
}
