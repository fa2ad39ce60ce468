package dev.ron.gateway.arbiter;

/** Who pays: a tenant as its issuer knows it; the same id of another issuer is another tenant. */
public record TenantKey(String issuer, String id) {
    /** Shared by all tenants that come when an arbiter already knows as many as it may. */
    public static final TenantKey OVERFLOW = new TenantKey("", "_overflow");
}
