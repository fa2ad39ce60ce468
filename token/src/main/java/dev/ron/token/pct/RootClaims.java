package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.CaveatCodec;
import dev.ron.token.json.Alphabet;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the issuer says in the root block; times are seconds since 1970.
 *
 * @param jti the token id: 16 random bytes, base64url
 * @param epoch the issuer's epoch at mint
 * @param policyVersion the policy the mint was checked against
 * @param commitment {@code nh}: what the proof must open if no block follows
 * @param nextKey {@code nk}: the key that signs the first block; absent if no block may follow
 * @param pqKid the ML-DSA key that co-signed; present exactly if the co-signature is
 * @param confirmation {@code cnf}: the key the sender must prove
 */
public record RootClaims(
        String iss,
        String sub,
        List<String> aud,
        String tenant,
        String clientId,
        long iat,
        long nbf,
        long exp,
        String jti,
        long epoch,
        long policyVersion,
        List<Caveat> caveats,
        String commitment,
        Optional<String> nextKey,
        Optional<String> pqKid,
        Optional<Binding> confirmation) {

    private static final long MAX = (1L << 53) - 1;
    private static final long MAX_LIFETIME_SECONDS = 24 * 3600;
    private static final long NBF_BEFORE_IAT_SECONDS = 300;

    static RootClaims parse(Json.Obj payload) throws Refused {
        Members members = new Members(payload, "root");
        RootClaims claims = new RootClaims(
                spelled(members, "iss", 128, Alphabet.PRINTABLE),
                spelled(members, "sub", 128, Alphabet.PRINTABLE),
                members.strings("aud", 1, 4, 128),
                spelled(members, "tid", 64, Alphabet.NAME),
                spelled(members, "client_id", 128, Alphabet.PRINTABLE),
                members.integer("iat", 0, MAX),
                members.integer("nbf", 0, MAX),
                members.integer("exp", 0, MAX),
                members.encoded("jti", 16),
                members.integer("ep", 0, MAX),
                members.integer("pv", 0, MAX),
                CaveatCodec.parseAll(members.array("cav", 0, Integer.MAX_VALUE)),
                members.encoded("nh", 32),
                members.optionalEncoded("nk", 32),
                members.optionalString("pq", 16, 16),
                confirmation(members));
        members.end();
        claims.requireSaneTimes();
        return claims;
    }

    private static String spelled(Members members, String name, int max, Alphabet alphabet) throws Refused {
        String value = members.string(name, 1, max);
        if (!alphabet.spells(value)) {
            throw members.wrong(name, "has characters that are not allowed");
        }
        return value;
    }

    private static Optional<Binding> confirmation(Members members) throws Refused {
        Optional<Json.Obj> cnf = members.optionalObject("cnf");
        return cnf.isEmpty() ? Optional.empty() : Optional.of(Binding.parse(cnf.get(), "root cnf"));
    }

    private void requireSaneTimes() throws Refused {
        if (nbf < iat - NBF_BEFORE_IAT_SECONDS || exp <= nbf) {
            throw new Refused(Reason.MALFORMED, "root times are out of order");
        }
        if (exp - iat > MAX_LIFETIME_SECONDS) {
            throw new Refused(Reason.MALFORMED, "root lives longer than 24 h");
        }
    }

    Json toJson() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("iss", new Json.Str(iss));
        members.put("sub", new Json.Str(sub));
        members.put("aud", Json.Arr.ofStrings(aud));
        members.put("tid", new Json.Str(tenant));
        members.put("client_id", new Json.Str(clientId));
        members.put("iat", new Json.Int(iat));
        members.put("nbf", new Json.Int(nbf));
        members.put("exp", new Json.Int(exp));
        members.put("jti", new Json.Str(jti));
        members.put("ep", new Json.Int(epoch));
        members.put("pv", new Json.Int(policyVersion));
        members.put("cav", CaveatCodec.toJson(caveats));
        members.put("nh", new Json.Str(commitment));
        nextKey.ifPresent(key -> members.put("nk", new Json.Str(key)));
        pqKid.ifPresent(kid -> members.put("pq", new Json.Str(kid)));
        confirmation.ifPresent(binding -> members.put("cnf", binding.toJson()));
        return new Json.Obj(members);
    }
}
