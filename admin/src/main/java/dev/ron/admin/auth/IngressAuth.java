package dev.ron.admin.auth;

import dev.ron.admin.AuthConfig;
import dev.ron.admin.Networks;
import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.service.config.Secret;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Mode ingress: a proxy in front has signed the person in and says who it is.
 *
 * <p>Only the address of the connection decides whether the fields are looked at; what anybody else sends under these
 * names is ignored along with the request.
 */
public final class IngressAuth implements Authenticator {
    private static final int MAX_USER = 256;
    private static final int MAX_GROUPS = 64;
    private static final int MAX_GROUP_BYTES = 4096;

    private final AuthConfig.Ingress config;
    private final Networks trusted;
    private final Roles roles;

    public IngressAuth(AuthConfig.Ingress config, Roles roles) {
        this.config = config;
        this.trusted = Networks.of(config.trustedProxies());
        this.roles = roles;
    }

    @Override
    public Identity identify(RequestHead request) {
        if (!(request.peer() instanceof InetSocketAddress peer)
                || peer.getAddress() == null
                || !trusted.contains(peer.getAddress())) {
            throw new RonException(Code.FORBIDDEN, "untrusted_proxy", "requests are taken from the ingress only");
        }
        Optional<Secret> secret = config.secret();
        if (secret.isPresent()
                && !secret.get().matches(only(request, "X-Ingress-Secret").getBytes(StandardCharsets.UTF_8))) {
            throw unauthenticated("bad_secret", "the ingress did not show its secret");
        }
        String user = only(request, config.headerUser()).strip();
        if (user.isEmpty() || user.length() > MAX_USER || user.chars().anyMatch(Character::isISOControl)) {
            throw unauthenticated("missing_header", "the ingress did not say who asks");
        }
        List<String> groups = groups(request);
        return new Identity(user, user, roles.of(groups), groups, Optional.empty(), true);
    }

    private List<String> groups(RequestHead request) {
        List<String> sent = request.headers().all(config.headerGroups());
        if (sent.isEmpty()) {
            return List.of();
        }
        if (sent.size() > 1 || sent.getFirst().length() > MAX_GROUP_BYTES) {
            throw unauthenticated("bad_header", "the groups must be sent once, in at most 4 KiB");
        }
        List<String> groups = Arrays.stream(sent.getFirst().split(",", -1))
                .map(String::strip)
                .filter(group -> !group.isEmpty())
                .toList();
        if (groups.size() > MAX_GROUPS) {
            throw unauthenticated("bad_header", groups.size() + " groups (expected: at most 64)");
        }
        return groups;
    }

    private static String only(RequestHead request, String name) {
        List<String> sent = request.headers().all(name);
        if (sent.size() > 1) {
            throw unauthenticated("bad_header", name + " was sent more than once");
        }
        return sent.isEmpty() ? "" : sent.getFirst();
    }

    private static RonException unauthenticated(String reason, String detail) {
        return new RonException(Code.UNAUTHENTICATED, reason, detail);
    }

    @Override
    public String mode() {
        return "ingress";
    }
}
