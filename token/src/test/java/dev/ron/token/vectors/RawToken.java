package dev.ron.token.vectors;

import dev.ron.token.TestIssuer;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Builds tokens by hand, so that each part can be wrong on purpose while every signature is right. */
final class RawToken {
    static final byte[] ISSUER_SEED = TestIssuer.bytes(0);
    static final HolderSeed FIRST = new HolderSeed(TestIssuer.bytes(0x20));
    static final String HEADER =
            "{\"alg\":\"Ed25519\",\"crit\":[\"pct\"],\"kid\":\"1IG2tMH7J2wbJZnO\",\"pct\":1,\"typ\":\"pct+jwt\"}";
    static final String BLOCK_HEADER = "{\"alg\":\"Ed25519\",\"typ\":\"pct-att+jwt\"}";

    private static final Signatures SIGNATURES = Signatures.portable();

    private RawToken() {}

    /** The root payload of the published vectors with these caveats. */
    static String payload(String caveats) {
        return ("{\"aud\":[\"svc-gateway\"],\"cav\":[%s],\"client_id\":\"ci-runner\",\"ep\":42,\"exp\":1760000900,"
                        + "\"iat\":1760000000,\"iss\":\"https://passport.test\",\"jti\":\"AAECAwQFBgcICQoLDA0ODw\","
                        + "\"nbf\":1760000000,\"nh\":\"%s\",\"nk\":\"%s\",\"pv\":7,\"sub\":\"sub-abc123\",\"tid\":\"t1\"}")
                .formatted(caveats, commitment(FIRST), FIRST.nextKey().encoded());
    }

    static String commitment(HolderSeed seed) {
        return Base64Url.encode(HolderSeed.commitment(seed.opening()));
    }

    static String jws(String header, String payload, byte[] seed) {
        String input = Base64Url.encode(header) + "." + Base64Url.encode(payload);
        return input + "." + Base64Url.encode(SIGNATURES.sign(seed, input.getBytes(StandardCharsets.US_ASCII)));
    }

    static String root(String header, String payload) {
        return "pct1~" + jws(header, payload, ISSUER_SEED);
    }

    static String proof(HolderSeed seed) {
        return "~s" + Base64Url.encode(seed.bytes());
    }

    static String token(String header, String payload) {
        return root(header, payload) + proof(FIRST);
    }

    /** A root with these caveats and a good everything else. */
    static String withCaveats(String caveats) {
        return token(HEADER, payload(caveats));
    }

    static HolderSeed seed(int position) {
        return position == 0 ? FIRST : new HolderSeed(TestIssuer.bytes(0x20 + 0x20 * position));
    }

    /** The segments of a token with so many blocks: prefix and root first, proof last. */
    static List<String> segments(int blocks) {
        String text = root(HEADER, payload(""));
        for (int i = 0; i < blocks; i++) {
            text += "~" + block(text, i, "{\"t\":\"method\",\"v\":[\"GET\"]}");
        }
        return new ArrayList<>(Arrays.asList((text + proof(seed(blocks))).split("~", -1)));
    }

    /** Block {@code index} after {@code before}. */
    static String block(String before, int index, String caveats) {
        return block(before, index, caveats, seed(index + 1).nextKey().encoded());
    }

    static String block(String before, int index, String caveats, String nextKey) {
        String payload = "{\"cav\":[%s],\"iat\":1760000010,\"nh\":\"%s\",\"nk\":\"%s\",\"prv\":\"%s\"}"
                .formatted(caveats, commitment(seed(index + 1)), nextKey, Base64Url.encode(Sha256.ofAscii(before)));
        return jws(BLOCK_HEADER, payload, seed(index).signingSeed());
    }

    static String join(List<String> segments) {
        return String.join("~", segments);
    }
}
