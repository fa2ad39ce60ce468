package dev.ron.token.verify;

import dev.ron.token.Reason;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.Cidr;
import dev.ron.token.caveat.PathPrefix;
import dev.ron.token.caveat.PlainPath;
import dev.ron.token.crypto.Sha256;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says for one caveat and one request what speaks against it; what the request does not state speaks against it. */
final class CaveatRules {
    private final VerifierConfig config;

    CaveatRules(VerifierConfig config) {
        this.config = config;
    }

    /** Null if the caveat holds. */
    @Nullable
    Reason against(Caveat caveat, String tokenTenant, RequestContext request) {
        return switch (caveat) {
            case Caveat.Expires(long at) -> unless(request.now <= at + config.skewSeconds(), Reason.EXPIRED);
            case Caveat.NotBefore(long at) -> unless(request.now + config.skewSeconds() >= at, Reason.NOT_YET_VALID);
            case Caveat.Audience(List<String> services) -> unless(services.contains(config.audience()), Reason.CAV_AUD);
            case Caveat.Scope(List<String> operations) -> unless(lists(operations, request.scope), Reason.CAV_SCOPE);
            case Caveat.Method(List<String> methods) -> unless(lists(methods, request.method), Reason.CAV_METHOD);
            case Caveat.Path(List<PathPrefix> prefixes) -> unless(covers(prefixes, request.path), Reason.CAV_PATH);
            case Caveat.Tenant(String id) -> unless(isTenant(id, tokenTenant, request), Reason.CAV_TENANT);
            case Caveat.Ip(List<Cidr> networks) -> unless(contains(networks, request), Reason.CAV_IP);
            case Caveat.Bytes(long max) -> unless(request.contentLength <= max, Reason.CAV_BYTES);
            case Caveat.Bind(Binding key) -> unless(proves(key, request), Reason.CAV_BIND);
            case Caveat.Rate _, Caveat.Budget _ -> null; // counted by the host
            case Caveat.Unknown _ -> Reason.CAV_UNKNOWN;
        };
    }

    /** True for caveats that can be judged from the token and the clock alone. */
    static boolean needsNoRequest(Caveat caveat) {
        return switch (caveat) {
            case Caveat.Expires _, Caveat.NotBefore _, Caveat.Audience _, Caveat.Unknown _ -> true;
            case Caveat.Scope _,
                    Caveat.Method _,
                    Caveat.Path _,
                    Caveat.Tenant _,
                    Caveat.Ip _,
                    Caveat.Bytes _,
                    Caveat.Rate _,
                    Caveat.Budget _,
                    Caveat.Bind _ -> false;
        };
    }

    boolean proves(Binding key, RequestContext request) {
        @Nullable
        String shown = switch (key.kind()) {
            case DPOP -> request.dpopThumbprint;
            case CERTIFICATE -> request.certificateThumbprint;
        };
        return shown != null && Sha256.same(shown, key.thumbprint());
    }

    private static @Nullable Reason unless(boolean holds, Reason reason) {
        return holds ? null : reason;
    }

    private static boolean lists(List<String> allowed, @Nullable String value) {
        return value != null && allowed.contains(value);
    }

    private static boolean covers(List<PathPrefix> prefixes, @Nullable String path) {
        if (path == null || !PlainPath.isPlain(path)) {
            return false;
        }
        for (PathPrefix prefix : prefixes) {
            if (prefix.covers(path)) {
                return true;
            }
        }
        return false;
    }

    /** A request without a tenant of its own is for the token's. */
    private static boolean isTenant(String id, String tokenTenant, RequestContext request) {
        return id.equals(tokenTenant) && (request.tenant == null || request.tenant.equals(id));
    }

    private static boolean contains(List<Cidr> networks, RequestContext request) {
        if (request.peer == null) {
            return false;
        }
        for (Cidr network : networks) {
            if (network.contains(request.peer)) {
                return true;
            }
        }
        return false;
    }
}
