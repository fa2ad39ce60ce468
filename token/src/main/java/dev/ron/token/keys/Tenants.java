package dev.ron.token.keys;

import java.util.Set;

/** The tenants an issuer may speak for; without this any trusted issuer could claim any tenant. */
public record Tenants(boolean all, Set<String> ids) {
    public static final Tenants ALL = new Tenants(true, Set.of());

    public Tenants {
        ids = Set.copyOf(ids);
    }

    public static Tenants only(Set<String> ids) {
        return new Tenants(false, ids);
    }

    public boolean include(String tenant) {
        return all || ids.contains(tenant);
    }
}
