package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Narrows and seals tokens; needs no network and no issuer, only the token itself. */
public final class Attenuator {
    private final Signatures signatures;
    private final Caps caps;

    public Attenuator(Signatures signatures, Caps caps) {
        this.signatures = signatures;
        this.caps = caps;
    }

    /** Adds a block with these caveats; the result can be narrowed further. */
    public String attenuate(String token, List<Caveat> caveats, long now, SecureRandom random) throws Refused {
        return attenuate(token, caveats, now, random, Optional.empty());
    }

    /** Adds a block that also carries a label for audit. */
    public String attenuate(String token, List<Caveat> caveats, long now, SecureRandom random, Optional<String> label)
            throws Refused {
        byte[] seed = new byte[HolderSeed.SIZE];
        random.nextBytes(seed);
        HolderSeed next = new HolderSeed(seed);
        Arrays.fill(seed, (byte) 0);
        return append(token, caveats, now, next, Optional.of(next.nextKey().encoded()), label);
    }

    /** Adds a last block: the result is sealed and nobody can narrow it further. */
    public String attenuateFinally(String token, List<Caveat> caveats, long now, SecureRandom random) throws Refused {
        byte[] seed = new byte[HolderSeed.SIZE];
        random.nextBytes(seed);
        return seal(append(token, caveats, now, new HolderSeed(seed), Optional.empty(), Optional.empty()));
    }

    /** Replaces the seed by its opening, so that the receiver can present the token but not extend it. */
    public String seal(String token) throws Refused {
        Pct pct = open(token);
        return new Pct(pct.layout(), pct.chain(), pct.proof().seal()).text();
    }

    private String append(
            String token,
            List<Caveat> caveats,
            long now,
            HolderSeed next,
            Optional<String> nextKey,
            Optional<String> label)
            throws Refused {
        Pct pct = open(token);
        HolderSeed holder =
                pct.proof().seed().orElseThrow(() -> new Refused(Reason.NOT_ATTENUABLE, "the token is sealed"));
        String expectedKey =
                pct.chain().nextKey().orElseThrow(() -> new Refused(Reason.NOT_ATTENUABLE, "the last block is final"));
        if (!holder.nextKey().encoded().equals(expectedKey)) {
            throw new Refused(Reason.NOT_ATTENUABLE, "the next block's key is held elsewhere");
        }
        String chainText = pct.layout().rootText() + pct.layout().branchText();
        String signed = Base64Url.encode(CanonicalJson.write(Block.header()))
                + "."
                + Base64Url.encode(CanonicalJson.write(Block.payload(
                        caveats,
                        now,
                        Base64Url.encode(Sha256.ofAscii(chainText)),
                        Base64Url.encode(HolderSeed.commitment(next.opening())),
                        nextKey,
                        label)));
        byte[] signingSeed = holder.signingSeed();
        byte[] signature = signatures.sign(signingSeed, signed.getBytes(StandardCharsets.US_ASCII));
        Arrays.fill(signingSeed, (byte) 0);
        String narrowed = Pct.join(chainText + "~" + signed + "." + Base64Url.encode(signature), Proof.ofSeed(next));
        // Read it back: whatever a verifier would refuse for its form (size, counts, values) is refused to the holder.
        return Pct.parse(narrowed, caps).text();
    }

    private Pct open(String token) throws Refused {
        Pct pct = Pct.parse(token, caps);
        if (!pct.chain().isOpenedBy(pct.proof())) {
            throw new Refused(Reason.BAD_PROOF, "the proof does not belong to the last block");
        }
        return pct;
    }
}
