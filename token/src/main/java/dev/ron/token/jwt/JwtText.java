package dev.ron.token.jwt;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.json.StrictJson;
import java.nio.charset.StandardCharsets;

/** A signed JWT in compact form, decoded step by step: the claims only once the signature is known. */
final class JwtText {
    private static final int MAX_CHARS = 16_384;
    private static final int MAX_HEADER_BYTES = 4096;

    private final String signed;
    private final String payload;
    private final Json.Obj header;
    private final byte[] signature;

    private JwtText(String signed, String payload, Json.Obj header, byte[] signature) {
        this.signed = signed;
        this.payload = payload;
        this.header = header;
        this.signature = signature;
    }

    static JwtText parse(String token) throws Refused {
        if (token.length() > MAX_CHARS) {
            throw new Refused(
                    Reason.TOO_LARGE, "token has " + token.length() + " characters (at most " + MAX_CHARS + ")");
        }
        int first = token.indexOf('.');
        int second = token.indexOf('.', first + 1);
        if (first < 0 || second < 0 || token.indexOf('.', second + 1) >= 0) {
            throw new Refused(Reason.MALFORMED, "a signed JWT has three parts");
        }
        byte[] header = Base64Url.decode(token.substring(0, first), "header");
        String payload = token.substring(first + 1, second);
        // Decoded now so that everything past this point is plain ASCII; read as JSON only when proven.
        byte[] _ = Base64Url.decode(payload, "claims");
        return new JwtText(
                token.substring(0, second),
                payload,
                StrictJson.FOREIGN.object(header, MAX_HEADER_BYTES, "header"),
                Base64Url.decode(token.substring(second + 1), "signature"));
    }

    Json.Obj header() {
        return header;
    }

    byte[] signingInput() {
        return signed.getBytes(StandardCharsets.US_ASCII);
    }

    byte[] signature() {
        return signature;
    }

    Json.Obj claims() throws Refused {
        return StrictJson.FOREIGN.object(Base64Url.decode(payload, "claims"), MAX_CHARS, "claims");
    }
}
