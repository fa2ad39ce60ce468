package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.json.StrictJson;
import java.nio.charset.StandardCharsets;

/** A JWS in compact form (RFC 7515), decoded but not checked; signatures are checked over the received text. */
public final class Jws {
    private final String signedText;
    private final Json.Obj header;
    private final Json.Obj payload;
    private final byte[] signature;

    private Jws(String signedText, Json.Obj header, Json.Obj payload, byte[] signature) {
        this.signedText = signedText;
        this.header = header;
        this.payload = payload;
        this.signature = signature;
    }

    static Jws parse(String text, String what) throws Refused {
        int first = text.indexOf('.');
        int second = text.indexOf('.', first + 1);
        if (first < 0 || second < 0 || text.indexOf('.', second + 1) >= 0) {
            throw new Refused(Reason.MALFORMED, what + " must have three parts");
        }
        byte[] header = Base64Url.decode(text.substring(0, first), what + " header");
        byte[] payload = Base64Url.decode(text.substring(first + 1, second), what + " payload");
        byte[] signature = Base64Url.decode(text.substring(second + 1), what + " signature");
        return new Jws(
                text.substring(0, second),
                StrictJson.OWN.object(header, Caps.HEADER_BYTES, what + " header"),
                StrictJson.OWN.object(payload, Caps.BLOCK_BYTES, what + " payload"),
                signature);
    }

    public byte[] signingInput() {
        return signedText.getBytes(StandardCharsets.US_ASCII);
    }

    public byte[] signature() {
        return signature.clone();
    }

    Json.Obj header() {
        return header;
    }

    Json.Obj payload() {
        return payload;
    }

    @Override
    public String toString() {
        return "Jws[" + signedText.length() + " characters]";
    }
}
