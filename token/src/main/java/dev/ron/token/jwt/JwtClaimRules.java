package dev.ron.token.jwt;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the claims of an access token whose signature holds. */
final class JwtClaimRules {
    private static final long MAX = (1L << 53) - 1;
    private static final int MAX_ROLES = 256;

    private final JwtConfig config;

    JwtClaimRules(JwtConfig config) {
        this.config = config;
    }

    JwtDecision.Accepted accept(Json.Obj claims, long now, boolean reads, JwtTrust trust) throws Refused {
        Members members = new Members(claims, "claims");
        if (!members.string("iss", 1, 512).equals(config.issuer())) {
            throw new Refused(Reason.WRONG_ISSUER, "iss is not the configured issuer");
        }
        // Signed by the same key and for the same client, but made to tell who logged in, not to grant anything.
        if (members.has("nonce") || members.has("at_hash") || members.has("c_hash")) {
            throw new Refused(Reason.WRONG_TYPE, "this is an ID token");
        }
        // Taken without the proof it would be of use to whoever has stolen it.
        if (members.has("cnf")) {
            throw new Refused(Reason.CAV_BIND, "the token is bound to a key, and its proof is not asked for here");
        }
        requireAudience(members);
        String sub = members.string("sub", 1, 512);
        OptionalLong iat = members.optionalInteger("iat", 0, MAX);
        long exp = requireTimes(members, iat, now);
        Optional<String> client = members.optionalString("client_id", 1, 512);
        if (client.isEmpty()) {
            client = members.optionalString("azp", 1, 512);
        }
        requireClient(client);
        Optional<String> jti = members.optionalString("jti", 1, 512);
        Optional<String> tenant = members.optionalString("tid", 1, 512);
        if (tenant.isPresent() && !trust.tenants().include(tenant.get())) {
            throw new Refused(Reason.WRONG_TENANT, "issuer may not speak for this tenant");
        }
        requireNotRevoked(members, trust, reads, now, sub, jti, tenant, iat);
        Optional<String> name = members.optionalString("preferred_username", 1, 512);
        if (name.isEmpty()) {
            name = members.optionalString("name", 1, 512);
        }
        return new JwtDecision.Accepted(config.issuer(), sub, client, tenant, name, roles(claims), jti, exp);
    }

    private void requireAudience(Members members) throws Refused {
        Json audience = members.any("aud").orElseThrow(() -> new Refused(Reason.WRONG_AUDIENCE, "aud is missing"));
        Json ours = new Json.Str(config.audience());
        boolean addressed =
                audience.equals(ours) || (audience instanceof Json.Arr(List<Json> items) && items.contains(ours));
        if (!addressed) {
            throw new Refused(Reason.WRONG_AUDIENCE, "token is not for " + config.audience());
        }
    }

    private long requireTimes(Members members, OptionalLong iat, long now) throws Refused {
        long exp = members.integer("exp", 0, MAX);
        if (now - exp > config.skewSeconds()) {
            throw new Refused(Reason.EXPIRED, "token expired " + (now - exp) + " s ago");
        }
        long nbf = members.optionalInteger("nbf", 0, MAX).orElse(0);
        long notBefore = Math.max(nbf, iat.orElse(0));
        if (notBefore - now > config.skewSeconds()) {
            throw new Refused(Reason.NOT_YET_VALID, "token is valid in " + (notBefore - now) + " s");
        }
        if (exp - iat.orElse(now) > Revocation.MAX_LIFETIME_SECONDS) {
            throw new Refused(Reason.MALFORMED, "claims: token lives longer than 24 h");
        }
        return exp;
    }

    private void requireClient(Optional<String> client) throws Refused {
        if (!config.clients().isEmpty()
                && client.filter(config.clients()::contains).isEmpty()) {
            throw new Refused(Reason.WRONG_CLIENT, "client is not among the allowed ones");
        }
    }

    private void requireNotRevoked(
            Members members,
            JwtTrust trust,
            boolean reads,
            long now,
            String sub,
            Optional<String> jti,
            Optional<String> tenant,
            OptionalLong iat)
            throws Refused {
        long floor = trust.keys().floor();
        if (trust.revocations().isPresent()) {
            Revocations revocations = trust.revocations().get();
            long limit = reads ? config.staleAllSeconds() : config.staleWritesSeconds();
            if (revocations.age(now) > limit) {
                throw new Refused(
                        Reason.STALE_STATE,
                        "revocations are " + revocations.age(now) + " s old (at most " + limit + " s)");
            }
            floor = Math.max(floor, revocations.floor(tenant.orElse("")));
            if (jti.isPresent() && revocations.isRevoked(jti.get())) {
                throw new Refused(Reason.REVOKED, "token id is revoked");
            }
            if (revocations.isSubjectRevoked(tenant.orElse(""), sub, iat.orElse(0), config.skewSeconds())) {
                throw new Refused(Reason.REVOKED, "subject is revoked");
            }
        }
        OptionalLong epoch = members.optionalInteger("epoch", 0, MAX);
        if (epoch.isPresent() && epoch.getAsLong() < floor) {
            throw new Refused(Reason.EPOCH_FLOOR, "token is of epoch " + epoch.getAsLong() + ", the floor is " + floor);
        }
    }

    private List<String> roles(Json.Obj claims) {
        Set<String> roles = new LinkedHashSet<>();
        for (String path : config.rolePaths()) {
            collect(at(claims, path), roles);
        }
        return new ArrayList<>(roles).subList(0, Math.min(roles.size(), MAX_ROLES));
    }

    private static @Nullable Json at(Json.Obj claims, String path) {
        @Nullable Json value = claims;
        for (String name : path.split("\\.", -1)) {
            value = value instanceof Json.Obj object ? object.members().get(name) : null;
        }
        return value;
    }

    private static void collect(@Nullable Json value, Set<String> roles) {
        if (value instanceof Json.Str(String text)) {
            roles.addAll(List.of(text.strip().split(" +")));
            roles.remove("");
        } else if (value instanceof Json.Arr(List<Json> items)) {
            for (Json item : items) {
                if (item instanceof Json.Str(String role)) {
                    roles.add(role);
                }
            }
        }
    }
}
