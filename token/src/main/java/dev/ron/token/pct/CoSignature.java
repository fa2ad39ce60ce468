package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The issuer's post-quantum signature over the whole root, as a JWS with detached payload (RFC 9964). */
public final class CoSignature {
    private final String kid;
    private final byte[] signingInput;
    private final byte[] signature;

    private CoSignature(String kid, byte[] signingInput, byte[] signature) {
        this.kid = kid;
        this.signingInput = signingInput;
        this.signature = signature;
    }

    static CoSignature parse(String text, String rootJws) throws Refused {
        int dots = text.indexOf("..");
        String header = text.substring(0, dots);
        byte[] headerBytes = Base64Url.decode(header, "co-signature header");
        Members members = new Members(
                StrictJson.OWN.object(headerBytes, Caps.HEADER_BYTES, "co-signature header"), "co-signature header");
        members.constant("alg", MlDsaKey.ALG, Reason.ALG_REFUSED);
        members.constant("typ", "pct-pq+jwt", Reason.WRONG_TYPE);
        String kid = members.encoded("kid", 12);
        members.end();
        byte[] signature =
                Base64Url.decode(text.substring(dots + 2), MlDsaKey.SIGNATURE_SIZE, "co-signature signature");
        return new CoSignature(kid, signingInput(header, rootJws), signature);
    }

    public String kid() {
        return kid;
    }

    public boolean matches(MlDsaKey key) {
        return key.verify(signingInput, signature);
    }

    /** The payload is the root's text with its signature, so the two signatures cannot be mixed across roots. */
    static byte[] signingInput(String encodedHeader, String rootJws) {
        return (encodedHeader + "." + Base64Url.encode(rootJws)).getBytes(StandardCharsets.US_ASCII);
    }

    static Json header(String kid) {
        return new Json.Obj(
                Map.of("alg", new Json.Str(MlDsaKey.ALG), "kid", new Json.Str(kid), "typ", new Json.Str("pct-pq+jwt")));
    }

    @Override
    public String toString() {
        return "CoSignature[" + kid + "]";
    }
}
