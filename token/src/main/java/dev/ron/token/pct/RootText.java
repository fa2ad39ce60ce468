package dev.ron.token.pct;

import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import java.nio.charset.StandardCharsets;

/**
 * Lays out a new root for an issuer to sign; the keys stay with the issuer, this only says which bytes.
 *
 * <p>Call {@link #signingInput()}, sign, {@link #sign}; for a hybrid token also sign {@link
 * Signed#coSigningInput(String)} and add it.
 */
public record RootText(String unsigned) {
    public static RootText of(String kid, RootClaims claims) {
        return new RootText(Base64Url.encode(CanonicalJson.write(Root.header(kid))) + "."
                + Base64Url.encode(CanonicalJson.write(claims.toJson())));
    }

    public byte[] signingInput() {
        return unsigned.getBytes(StandardCharsets.US_ASCII);
    }

    public Signed sign(byte[] signature) {
        return new Signed(unsigned + "." + Base64Url.encode(signature), "");
    }

    /** A signed root that still lacks its proof. */
    public record Signed(String rootJws, String coSignature) {
        /** What the ML-DSA key {@code pqKid} must sign. */
        public byte[] coSigningInput(String pqKid) {
            return CoSignature.signingInput(coHeader(pqKid), rootJws);
        }

        public Signed withCoSignature(String pqKid, byte[] signature) {
            return new Signed(rootJws, "~" + coHeader(pqKid) + ".." + Base64Url.encode(signature));
        }

        /** The complete token. */
        public String withProof(Proof proof) {
            return Pct.join(withoutProof(), proof);
        }

        /** For a client that keeps its own seed: it appends the proof itself. */
        public String withoutProof() {
            return Layout.PREFIX + rootJws + coSignature;
        }

        private static String coHeader(String pqKid) {
            return Base64Url.encode(CanonicalJson.write(CoSignature.header(pqKid)));
        }
    }
}
