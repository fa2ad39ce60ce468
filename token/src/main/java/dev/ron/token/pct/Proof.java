package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last segment: shows that the bearer holds the end of the chain, so that cutting blocks off is of no use.
 *
 * <p>With a seed the bearer may add blocks; a sealed proof shows only the opening derived from it.
 */
public final class Proof {
    private static final int TEXT_LENGTH = 44;

    private final @Nullable HolderSeed seed;
    private final byte[] opening;

    private Proof(@Nullable HolderSeed seed, byte[] opening) {
        this.seed = seed;
        this.opening = opening;
    }

    public static Proof ofSeed(HolderSeed seed) {
        return new Proof(seed, seed.opening());
    }

    public static Proof sealed(byte[] opening) {
        return new Proof(null, opening.clone());
    }

    static Proof parse(String segment) throws Refused {
        if (segment.length() != TEXT_LENGTH) {
            throw new Refused(Reason.BAD_PROOF, "proof must have 44 characters");
        }
        byte[] secret = Base64Url.decode(segment.substring(1), HolderSeed.SIZE, "proof");
        return switch (segment.charAt(0)) {
            case 's' -> ofSeed(new HolderSeed(secret));
            case 'p' -> sealed(secret);
            default -> throw new Refused(Reason.BAD_PROOF, "proof must start with s or p");
        };
    }

    /** True if this proof belongs to the block that carries the commitment. */
    public boolean opens(byte[] commitment) {
        return Sha256.same(HolderSeed.commitment(opening), commitment);
    }

    /** The commitment ({@code nh}) that this proof opens. */
    public String commitment() {
        return Base64Url.encode(HolderSeed.commitment(opening));
    }

    public Optional<HolderSeed> seed() {
        return Optional.ofNullable(seed);
    }

    public boolean isSealed() {
        return seed == null;
    }

    public Proof seal() {
        return sealed(opening);
    }

    String text() {
        return seed == null ? "p" + Base64Url.encode(opening) : "s" + Base64Url.encode(seed.bytes());
    }

    @Override
    public String toString() {
        return isSealed() ? "Proof[sealed]" : "Proof[seed]";
    }
}
