package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.CaveatCodec;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A block added by a holder: more caveats, signed with the key the previous block named.
 *
 * @param id SHA-256 of the token text up to the end of this block, base64url: names the branch that starts here
 * @param previous {@code prv}: the same hash at the end of the preceding segment
 */
public record Block(
        SignedText signed,
        String id,
        List<Caveat> caveats,
        long iat,
        String previous,
        String commitment,
        Optional<String> nextKey,
        Optional<String> label) {
    private static final long MAX = (1L << 53) - 1;

    /** What every writer of canonical JSON sends; other spellings of the same header are read in full. */
    private static final String HEADER = Base64Url.encode(CanonicalJson.write(header()));

    static Block parse(String text, String id) throws Refused {
        Jws jws = Jws.parse(text, "block");
        if (!jws.headerText().equals(HEADER)) {
            requireHeader(jws.header("block header"));
        }
        Members members = new Members(jws.payload(), "block");
        List<Json> caveats = members.array("cav", 1, Integer.MAX_VALUE);
        if (caveats.size() > Caps.CAVEATS_PER_BLOCK) {
            throw new Refused(Reason.TOO_MANY_CAVEATS, "block has " + caveats.size() + " caveats (at most 32)");
        }
        Block block = new Block(
                jws.signed(),
                id,
                CaveatCodec.parseAll(caveats),
                members.integer("iat", 0, MAX),
                members.encoded("prv", 32),
                members.encoded("nh", 32),
                members.optionalEncoded("nk", 32),
                members.optionalString("lbl", 1, 64));
        members.end();
        return block;
    }

    private static void requireHeader(Json.Obj header) throws Refused {
        Members members = new Members(header, "block header");
        members.constant("alg", "Ed25519", Reason.ALG_REFUSED);
        members.constant("typ", "pct-att+jwt", Reason.WRONG_TYPE);
        members.end();
    }

    static Json header() {
        return new Json.Obj(Map.of("alg", new Json.Str("Ed25519"), "typ", new Json.Str("pct-att+jwt")));
    }

    static Json payload(
            List<Caveat> caveats,
            long iat,
            String previous,
            String commitment,
            Optional<String> nextKey,
            Optional<String> label) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("cav", CaveatCodec.toJson(caveats));
        members.put("iat", new Json.Int(iat));
        members.put("prv", new Json.Str(previous));
        members.put("nh", new Json.Str(commitment));
        nextKey.ifPresent(key -> members.put("nk", new Json.Str(key)));
        label.ifPresent(text -> members.put("lbl", new Json.Str(text)));
        return new Json.Obj(members);
    }
}
