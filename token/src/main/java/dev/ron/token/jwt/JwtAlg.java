package dev.ron.token.jwt;

import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.ForeignKey;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.crypto.VerifyingKey;
import java.util.Optional;

/** The signature algorithms that exist for plain JWTs here; {@code none} and every {@code HS*} have no member. */
public enum JwtAlg {
    EDDSA("EdDSA"),
    ED25519("Ed25519"),
    ES256("ES256"),
    PS256("PS256"),
    RS256("RS256");

    private final String wire;

    JwtAlg(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    static Optional<JwtAlg> of(String wire) {
        for (JwtAlg alg : values()) {
            if (alg.wire.equals(wire)) {
                return Optional.of(alg);
            }
        }
        return Optional.empty();
    }

    /** The key decides which algorithms it is for, never the header alone. */
    boolean fits(VerifyingKey key) {
        return switch (this) {
            case EDDSA, ED25519 -> key instanceof Ed25519Key;
            case ES256 -> key instanceof ForeignKey foreign && foreign.family() == ForeignKey.Family.P256;
            case PS256, RS256 -> key instanceof ForeignKey foreign && foreign.family() == ForeignKey.Family.RSA;
        };
    }

    boolean verify(Signatures signatures, VerifyingKey key, byte[] message, byte[] signature) {
        return switch (key) {
            case Ed25519Key ed -> fits(ed) && signatures.verify(ed, message, signature);
            case ForeignKey foreign -> fits(foreign) && foreign.verify(wire, message, signature);
            case dev.ron.token.crypto.MlDsaKey _ -> false;
        };
    }
}
