package dev.ron.token.jwt;

import dev.ron.token.Reason;
import java.util.List;
import java.util.Optional;

/** Whether an access token is good, and whose it is. */
public sealed interface JwtDecision {
    /** A good token; the roles are claims of the issuer, and it is the host's to say what they mean. */
    record Accepted(
            String iss,
            String sub,
            Optional<String> clientId,
            Optional<String> tenant,
            Optional<String> name,
            List<String> roles,
            Optional<String> tokenId,
            long expiresAt)
            implements JwtDecision {}

    /** Not a good token. */
    record Rejected(Reason reason, String detail) implements JwtDecision {}
}
