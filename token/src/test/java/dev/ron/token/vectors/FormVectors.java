package dev.ron.token.vectors;

import static dev.ron.token.vectors.RawToken.BLOCK_HEADER;
import static dev.ron.token.vectors.RawToken.FIRST;
import static dev.ron.token.vectors.RawToken.HEADER;
import static dev.ron.token.vectors.RawToken.payload;
import static dev.ron.token.vectors.RawToken.segments;
import static dev.ron.token.vectors.RawToken.token;

import dev.ron.token.Reason;
import dev.ron.token.TestIssuer;
import dev.ron.token.json.Base64Url;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What is wrong with the text itself: blocks moved, headers changed, encodings bent, limits passed. */
final class FormVectors {
    private FormVectors() {}

    static List<Vector> blocks() {
        List<Vector> all = new ArrayList<>();
        for (int count = 0; count <= 4; count++) {
            all.add(get(count + " blocks", RawToken.join(segments(count))));
        }
        all.add(get("5 blocks", RawToken.join(segments(5))).deny(Reason.TOO_MANY_BLOCKS));
        all.add(get("sealed", sealed(segments(2))));

        List<String> reordered = segments(3);
        Collections.swap(reordered, 2, 3);
        all.add(get("blocks 1 and 2 swapped", RawToken.join(reordered)).deny(Reason.BAD_CHAIN));
        List<String> duplicated = segments(2);
        duplicated.add(3, duplicated.get(2));
        all.add(get("block 1 twice", RawToken.join(duplicated)).deny(Reason.BAD_CHAIN));
        List<String> cut = segments(2);
        cut.remove(3);
        all.add(get("last block removed", RawToken.join(cut)).deny(Reason.BAD_PROOF));
        List<String> hollow = segments(2);
        hollow.remove(2);
        all.add(get("first block removed", RawToken.join(hollow)).deny(Reason.BAD_CHAIN));
        List<String> bare = segments(0);
        bare.removeLast();
        all.add(get("no proof", RawToken.join(bare)).deny(Reason.BAD_PROOF));
        List<String> stranger = segments(1);
        stranger.set(2, foreignBlock());
        all.add(get("block signed by a stranger", RawToken.join(stranger)).deny(Reason.BAD_SIGNATURE));
        List<String> grafted = segments(1);
        grafted.set(
                1, RawToken.root(HEADER, payload("{\"t\":\"bytes\",\"v\":1}")).substring(5));
        all.add(get("block below another root", RawToken.join(grafted)).deny(Reason.BAD_CHAIN));
        all.add(get("small-order nk used", smallOrder(true)).deny(Reason.WEAK_KEY));
        all.add(get("small-order nk not used yet", smallOrder(false)).deny(Reason.WEAK_KEY));
        all.add(get("block after a final root", afterFinalRoot()).deny(Reason.BAD_CHAIN));
        return all;
    }

    private static Vector get(String name, String token) {
        return Vector.allow(name, token).with("method", "GET");
    }

    private static String sealed(List<String> segments) {
        segments.set(
                segments.size() - 1, "p" + Base64Url.encode(RawToken.seed(2).opening()));
        return RawToken.join(segments);
    }

    private static String foreignBlock() {
        String root = RawToken.root(HEADER, payload(""));
        String good = RawToken.block(root, 0, "{\"t\":\"method\",\"v\":[\"GET\"]}");
        String body = good.substring(good.indexOf('.') + 1, good.lastIndexOf('.'));
        String json = new String(Base64.getUrlDecoder().decode(body), StandardCharsets.UTF_8);
        return RawToken.jws(BLOCK_HEADER, json, TestIssuer.bytes(0x70));
    }

    private static String smallOrder(boolean used) {
        byte[] identity = new byte[32];
        identity[0] = 1;
        String weak = payload("").replace(FIRST.nextKey().encoded(), Base64Url.encode(identity));
        String root = RawToken.root(HEADER, weak);
        if (!used) {
            return root + RawToken.proof(FIRST);
        }
        // R = identity, S = 0: under the identity key a provider without the check takes this for any message.
        String block = RawToken.block(root, 0, "{\"t\":\"bytes\",\"v\":1}");
        byte[] forged = new byte[64];
        forged[0] = 1;
        return root + "~" + block.substring(0, block.lastIndexOf('.') + 1) + Base64Url.encode(forged)
                + RawToken.proof(RawToken.seed(1));
    }

    private static String afterFinalRoot() {
        String root = RawToken.root(HEADER, payload("").replaceFirst("\"nk\":\"[^\"]*\",", ""));
        return root + "~" + RawToken.block(root, 0, "{\"t\":\"bytes\",\"v\":1}") + RawToken.proof(RawToken.seed(1));
    }

    static List<Vector> headers() throws GeneralSecurityException {
        List<Vector> all = new ArrayList<>();
        all.add(Vector.allow("as it should be", token(HEADER, payload(""))));
        all.add(Vector.allow(
                "members in other order",
                token(
                        "{\"typ\":\"pct+jwt\",\"pct\":1,\"kid\":\"1IG2tMH7J2wbJZnO\",\"crit\":[\"pct\"],\"alg\":\"Ed25519\"}",
                        payload(""))));
        all.add(header("alg none", "\"Ed25519\"", "\"none\"", Reason.ALG_REFUSED));
        all.add(header("alg EdDSA", "\"Ed25519\"", "\"EdDSA\"", Reason.ALG_REFUSED));
        all.add(header("alg in lower case", "\"Ed25519\"", "\"ed25519\"", Reason.ALG_REFUSED));
        all.add(header("alg a number", "\"Ed25519\"", "1", Reason.MALFORMED));
        all.add(Vector.allow("alg HS256 keyed with the public key", hs256()).deny(Reason.ALG_REFUSED));
        all.add(header("no crit", "\"crit\":[\"pct\"],", "", Reason.MALFORMED));
        all.add(header("crit empty", "[\"pct\"]", "[]", Reason.MALFORMED));
        all.add(header("crit of more", "[\"pct\"]", "[\"pct\",\"x\"]", Reason.MALFORMED));
        all.add(header("crit of another", "[\"pct\"]", "[\"b64\"]", Reason.MALFORMED));
        all.add(header("crit twice the same", "[\"pct\"]", "[\"pct\",\"pct\"]", Reason.MALFORMED));
        all.add(header("version 2", "\"pct\":1", "\"pct\":2", Reason.MALFORMED));
        all.add(header("typ JWT", "pct+jwt", "JWT", Reason.WRONG_TYPE));
        all.add(header("unknown kid", "1IG2tMH7J2wbJZnO", "2IG2tMH7J2wbJZnO", Reason.UNKNOWN_KID));
        all.add(header("kid of wrong length", "1IG2tMH7J2wbJZnO", "1IG2", Reason.MALFORMED));
        all.add(header("one member more", "\"pct\":1", "\"pct\":1,\"x\":1", Reason.MALFORMED));
        all.add(header("own key in header", "\"pct\":1", "\"pct\":1,\"jwk\":{}", Reason.MALFORMED));
        all.add(header("duplicate member", "\"pct\":1", "\"pct\":1,\"pct\":1", Reason.MALFORMED));
        return all;
    }

    private static Vector header(String name, String from, String to, Reason reason) {
        return Vector.allow(name, token(HEADER.replace(from, to), payload(""))).deny(reason);
    }

    private static String hs256() throws GeneralSecurityException {
        String input = Base64Url.encode(HEADER.replace("Ed25519", "HS256")) + "." + Base64Url.encode(payload(""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(new TestIssuer().key.bytes(), "HmacSHA256"));
        byte[] tag = mac.doFinal(input.getBytes(StandardCharsets.US_ASCII));
        return "pct1~" + input + "." + Base64Url.encode(tag) + RawToken.proof(FIRST);
    }

    static List<Vector> encodings() {
        List<Vector> all = new ArrayList<>();
        String good = token(HEADER, payload(""));
        all.add(Vector.allow("as it should be", good));
        int signature = good.lastIndexOf('.') + 86;
        all.add(changed("loose bits in the signature", good, signature - 0, Reason.MALFORMED));
        all.add(changed("loose bits in the proof", good, good.length() - 1, Reason.MALFORMED));
        all.add(Vector.allow("padded signature", good.replace("~s", "==~s")).deny(Reason.MALFORMED));
        all.add(Vector.allow("trailing space", good + " ").deny(Reason.BAD_PROOF));
        all.add(Vector.allow("leading space", " " + good).deny(Reason.MALFORMED));
        all.add(Vector.allow("upper-case prefix", "PCT1" + good.substring(4)).deny(Reason.MALFORMED));
        all.add(Vector.allow("not ASCII", good.replace("pct1~e", "pct1~é")).deny(Reason.MALFORMED));
        all.add(Vector.allow("empty", "").deny(Reason.MALFORMED));
        all.add(Vector.allow("only the prefix", "pct1~").deny(Reason.BAD_PROOF));
        all.add(Vector.allow("only tildes", "pct1~~~").deny(Reason.BAD_PROOF));
        all.add(Vector.allow("a plain JWT", good.substring(5, good.indexOf("~s")))
                .deny(Reason.MALFORMED));
        all.add(Vector.allow("unknown proof kind", good.replace("~s", "~q")).deny(Reason.BAD_PROOF));
        all.add(Vector.allow("another seed", RawToken.root(HEADER, payload("")) + RawToken.proof(RawToken.seed(1)))
                .deny(Reason.BAD_PROOF));
        all.add(Vector.allow("S + L", malleated(good)).deny(Reason.BAD_SIGNATURE));
        all.add(claim("unknown member", "\"pv\":7", "\"pv\":7,\"admin\":true", Reason.MALFORMED));
        all.add(claim("duplicate member", "\"pv\":7", "\"pv\":7,\"pv\":8", Reason.MALFORMED));
        all.add(claim("duplicate member, escaped", "\"pv\":7", "\"pv\":7,\"p\\u0076\":8", Reason.MALFORMED));
        all.add(claim("a fraction", "\"pv\":7", "\"pv\":7.0", Reason.MALFORMED));
        all.add(claim("an exponent", "\"pv\":7", "\"pv\":7e0", Reason.MALFORMED));
        all.add(claim("an integer of 2^53", "\"pv\":7", "\"pv\":9007199254740992", Reason.MALFORMED));
        all.add(claim("a negative epoch", "\"ep\":42", "\"ep\":-1", Reason.MALFORMED));
        all.add(claim("aud a string", "[\"svc-gateway\"]", "\"svc-gateway\"", Reason.MALFORMED));
        all.add(claim("no jti", "\"jti\":\"AAECAwQFBgcICQoLDA0ODw\",", "", Reason.MALFORMED));
        all.add(claim("jti of loose bits", "DA0ODw", "DA0ODx", Reason.MALFORMED));
        all.add(claim("tenant with a slash", "\"t1\"", "\"t/1\"", Reason.MALFORMED));
        all.add(claim("lives over a day", "1760000900", "1760086401", Reason.MALFORMED));
        all.add(claim("ends before it begins", "1760000900", "1760000000", Reason.MALFORMED));
        all.add(claim(
                "pq without co-signature", "\"pv\":7", "\"pq\":\"1IG2tMH7J2wbJZnO\",\"pv\":7", Reason.PQ_MISSING));
        all.addAll(limits());
        return all;
    }

    private static Vector claim(String name, String from, String to, Reason reason) {
        return Vector.allow(name, token(HEADER, payload("").replace(from, to))).deny(reason);
    }

    private static Vector changed(String name, String token, int at, Reason reason) {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        char loose = alphabet.charAt(alphabet.indexOf(token.charAt(at)) | 1);
        return Vector.allow(name, token.substring(0, at) + loose + token.substring(at + 1))
                .deny(reason);
    }

    private static String malleated(String token) {
        int at = token.lastIndexOf('.') + 1;
        byte[] signature = Base64.getUrlDecoder().decode(token.substring(at, at + 86));
        byte[] order =
                java.util.HexFormat.of().parseHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
        int carry = 0;
        for (int i = 0; i < 32; i++) {
            int sum = Byte.toUnsignedInt(signature[32 + i]) + Byte.toUnsignedInt(order[i]) + carry;
            signature[32 + i] = (byte) sum;
            carry = sum >>> 8;
        }
        return token.substring(0, at) + Base64Url.encode(signature) + token.substring(at + 86);
    }

    private static List<Vector> limits() {
        List<Vector> all = new ArrayList<>();
        String caveat = "{\"t\":\"bytes\",\"v\":1}";
        all.add(Vector.allow("64 caveats", RawToken.withCaveats(repeat(caveat, 64))));
        all.add(Vector.allow("65 caveats", RawToken.withCaveats(repeat(caveat, 65)))
                .deny(Reason.TOO_MANY_CAVEATS));
        String root = RawToken.root(HEADER, payload(""));
        for (int count : new int[] {32, 33}) {
            Vector vector = Vector.allow(
                    count + " caveats in a block",
                    root + "~" + RawToken.block(root, 0, repeat(caveat, count)) + RawToken.proof(RawToken.seed(1)));
            all.add(count == 32 ? vector : vector.deny(Reason.TOO_MANY_CAVEATS));
        }
        String empty = root + "~" + RawToken.block(root, 0, "") + RawToken.proof(RawToken.seed(1));
        all.add(Vector.allow("no caveat in a block", empty).deny(Reason.MALFORMED));
        all.add(Vector.allow("longest", ofLength(8000)).deny(Reason.MALFORMED));
        all.add(Vector.allow("one longer", ofLength(8001)).deny(Reason.TOO_LARGE));
        return all;
    }

    /** Not a token, but of the length in question: only the cap tells them apart. */
    private static String ofLength(int length) {
        return "pct1~" + "A".repeat(length - 50) + RawToken.proof(FIRST);
    }

    private static String repeat(String caveat, int count) {
        return String.join(",", Collections.nCopies(count, caveat));
    }
}
