package dev.ron.token.vectors;

import dev.ron.token.TestIssuer;
import dev.ron.token.json.Json;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import java.util.List;

/** Writes the vector files anew; run by hand in the module's folder when the format gains something. */
public final class VectorWriter {
    private VectorWriter() {}

    public static void main(String[] args) throws Exception {
        TestIssuer issuer = new TestIssuer();
        String jwks = JwkSet.write(issuer.keys(KeyStatus.ACTIVE), 42, 0);
        write("caveats", jwks, CaveatVectors.all());
        write("blocks", jwks, FormVectors.blocks());
        write("headers", jwks, FormVectors.headers());
        write("encodings", jwks, FormVectors.encodings());
        write("times", jwks, StateVectors.times());
        write("revocations", jwks, StateVectors.revocations());
        write("pq", jwks, StateVectors.pq(issuer));
        JwtVectors.write();
    }

    private static void write(String group, String jwks, List<Vector> vectors) throws Exception {
        new VectorFile(
                        jwks,
                        vectors.stream()
                                .map(vector -> (Json.Obj) vector.toJson())
                                .toList())
                .write(group);
    }
}
