package dev.ron.token.verify;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.ron.token.Reason;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.crypto.VerifyingKey;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.pct.Chain;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which texts carry good signatures, and nothing else.
 *
 * <p>Time, revocation, proof and caveats are judged anew on every request, so nothing kept here can outlive a
 * revocation. No entry is a credential: chains are kept without their proof, plain JWTs and failures under a hash.
 * Bounded by bytes, and per root by {@link ProvenRoot#MAX_BRANCHES}. Safe for any number of threads; eviction runs on
 * the caller.
 */
public final class SignatureCache {
    private static final int MAX_FAILURES = 4096;
    private static final long FAILURE_SECONDS = 1;
    private static final int JWT_OVERHEAD_BYTES = 2048;

    private record Failure(SigningKeys keys, Reason reason, long at) {}

    private record ProvenClaims(VerifyingKey key, Json.Obj claims, int weight) {}

    private final Cache<String, ProvenRoot> roots;
    private final Cache<String, Failure> failures;
    private final Cache<String, ProvenClaims> jwts;

    /** Holds about this many bytes: three quarters for capabilities, the rest for plain JWTs. */
    public SignatureCache(long maxBytes) {
        long forJwts = maxBytes / 4;
        this.roots = Caffeine.newBuilder()
                .maximumWeight(maxBytes - forJwts)
                .weigher((String rootText, ProvenRoot root) -> root.weight(rootText))
                .executor(Runnable::run)
                .build();
        this.jwts = Caffeine.newBuilder()
                .maximumWeight(forJwts)
                .weigher((String digest, ProvenClaims proven) -> proven.weight())
                .executor(Runnable::run)
                .build();
        this.failures = Caffeine.newBuilder()
                .maximumSize(MAX_FAILURES)
                .executor(Runnable::run)
                .build();
    }

    @Nullable
    ProvenRoot root(String rootText) {
        return roots.getIfPresent(rootText);
    }

    /** Adds what was just proven, keeping what others proved below the same root meanwhile. */
    void proven(String rootText, SigningKeys keys, ProvenRoot root, Map<String, Chain> branches) {
        roots.asMap().compute(rootText, (text, present) -> {
            ProvenRoot base = present != null && present.provenWith(keys) ? present : root;
            return base.with(branches);
        });
    }

    /**
     * Why this exact text failed a moment ago with these keys. Keyed by the hash of the whole text: a key that left out
     * any part of it would let a forged token spoil a good one.
     */
    @Nullable
    Reason failure(String text, SigningKeys keys, long now) {
        if (failures.estimatedSize() == 0) {
            return null; // spares every good token a hash while nobody sends bad ones
        }
        Failure failure = failures.getIfPresent(digest(text));
        boolean applies = failure != null
                && failure.keys().equals(keys)
                && now >= failure.at()
                && now - failure.at() <= FAILURE_SECONDS;
        return failure != null && applies ? failure.reason() : null;
    }

    void failed(String text, SigningKeys keys, Reason reason, long now) {
        failures.put(digest(text), new Failure(keys, reason, now));
    }

    /** The claims of a plain JWT that was proven with this key. */
    public Optional<Json.Obj> provenClaims(String jwt, VerifyingKey key) {
        ProvenClaims proven = jwts.getIfPresent(digest(jwt));
        return proven != null && proven.key().equals(key) ? Optional.of(proven.claims()) : Optional.empty();
    }

    public void provenClaims(String jwt, VerifyingKey key, Json.Obj claims) {
        jwts.put(digest(jwt), new ProvenClaims(key, claims, jwt.length() + JWT_OVERHEAD_BYTES));
    }

    /** How many roots are held; an estimate while others write. */
    public long rootCount() {
        roots.cleanUp();
        return roots.estimatedSize();
    }

    /** The most branches held below one root. */
    int largestRoot() {
        return roots.asMap().values().stream()
                .mapToInt(ProvenRoot::branchCount)
                .max()
                .orElse(0);
    }

    private static String digest(String text) {
        return Base64Url.encode(Sha256.ofAscii(text));
    }
}
