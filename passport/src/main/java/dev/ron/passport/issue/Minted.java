package dev.ron.passport.issue;

import dev.ron.token.caveat.Caveat;
import java.util.List;

/** A token that was issued; the text is a credential and stays out of {@link #toString()}. */
public record Minted(
        String token,
        Order.Format format,
        String jti,
        String kid,
        boolean hybrid,
        long epoch,
        long policyVersion,
        long issuedAt,
        long expiresAt,
        List<Caveat> caveats,
        boolean fallback,
        boolean attenuable) {
    @Override
    public String toString() {
        return "Minted[" + jti + "]";
    }
}
