package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.json.StrictJson;

/** A JWS in compact form (RFC 7515), decoded but not checked. */
record Jws(String headerText, SignedText signed, Json.Obj payload) {
    static Jws parse(String text, String what) throws Refused {
        int first = text.indexOf('.');
        int second = text.indexOf('.', first + 1);
        if (first < 0 || second < 0 || text.indexOf('.', second + 1) >= 0) {
            throw new Refused(Reason.MALFORMED, what + " must have three parts");
        }
        byte[] payload = Base64Url.decode(text.substring(first + 1, second), what + " payload");
        byte[] signature = Base64Url.decode(text.substring(second + 1), what + " signature");
        return new Jws(
                text.substring(0, first),
                new SignedText(text.substring(0, second), signature),
                StrictJson.OWN.object(payload, Caps.BLOCK_BYTES, what + " payload"));
    }

    Json.Obj header(String what) throws Refused {
        return StrictJson.OWN.object(Base64Url.decode(headerText, what), Caps.HEADER_BYTES, what);
    }
}
