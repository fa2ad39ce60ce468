package dev.ron.token.caveat;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;

/** The key a sender must prove: a DPoP key (RFC 9449) or a client certificate (RFC 8705), by its SHA-256 thumbprint. */
public record Binding(Kind kind, String thumbprint) {
    /** How the key is proven. */
    public enum Kind {
        DPOP("jkt"),
        CERTIFICATE("x5t#S256");

        private final String member;

        Kind(String member) {
            this.member = member;
        }

        public String member() {
            return member;
        }
    }

    /** The {@code x5t#S256} of a certificate: its SHA-256, base64url. */
    public static String thumbprint(X509Certificate certificate) {
        try {
            return Base64Url.encode(Sha256.of(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("a certificate that was read has an encoding", e);
        }
    }

    public static Binding parse(Json.Obj object, String what) throws Refused {
        Members members = new Members(object, what);
        Optional<String> dpop = members.optionalEncoded(Kind.DPOP.member(), 32);
        Optional<String> certificate = members.optionalEncoded(Kind.CERTIFICATE.member(), 32);
        members.end();
        if (dpop.isPresent() == certificate.isPresent()) {
            throw new Refused(Reason.MALFORMED, what + " must hold exactly one of jkt and x5t#S256");
        }
        return dpop.map(value -> new Binding(Kind.DPOP, value))
                .orElseGet(() -> new Binding(Kind.CERTIFICATE, certificate.orElseThrow()));
    }

    public Json toJson() {
        return new Json.Obj(Map.of(kind.member(), new Json.Str(thumbprint)));
    }
}
