package dev.ron.token.verify;

import java.util.List;

/**
 * Who a verified token speaks for.
 *
 * @param tenant meaningful only together with {@code iss}: two issuers may use one name for two tenants
 * @param tokenId the root's id; revoking it ends every branch
 * @param blockIds the branch the token is on, outermost first
 * @param expiresAt the earliest expiry of root and caveats: when a long-lived stream must end
 */
public record Principal(
        String iss,
        String tenant,
        String sub,
        String clientId,
        String tokenId,
        List<String> blockIds,
        long expiresAt) {}
