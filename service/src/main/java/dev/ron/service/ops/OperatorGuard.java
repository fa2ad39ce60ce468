package dev.ron.service.ops;

import dev.ron.http.guard.Guard;
import dev.ron.http.guard.Verdict;
import dev.ron.http.message.Headers;
import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Lets only an operator act, and never a web page that an operator happens to look at.
 *
 * <p>A page of another site can send a form or a simple request to a loopback port, and after DNS rebinding even under
 * our own address. So the Host must be ours, an Origin must be the Host's, the body must be JSON, which a form cannot
 * send, and the credential must be presented, which a browser does not do by itself.
 */
public final class OperatorGuard implements Guard {
    private static final String BEARER = "Bearer ";

    private final Set<String> hosts;
    private final Predicate<String> credential;

    /**
     * @param hosts names under which the ops plane may be addressed, besides loopback
     * @param credential whether a presented token is the operator's, compared in constant time
     */
    public OperatorGuard(Set<String> hosts, Predicate<String> credential) {
        this.hosts = Set.copyOf(hosts);
        this.credential = credential;
    }

    @Override
    public Verdict admit(RequestHead request) {
        return refusal(request.headers()).map(Verdict::refuse).orElse(Verdict.PASS);
    }

    private Optional<RonException> refusal(Headers headers) {
        String host = headers.first("Host").orElse("");
        if (!isOurs(hostName(host))) {
            return refuse(Code.MISDIRECTED, "host", "the ops plane is not reached as \"" + shown(host) + "\"");
        }
        boolean crossSite = headers.first("Sec-Fetch-Site")
                .filter(site -> !site.equals("same-origin") && !site.equals("none"))
                .isPresent();
        if (crossSite || headers.all("Origin").stream().anyMatch(o -> !isOriginOf(o, host))) {
            return refuse(Code.FORBIDDEN, "foreign_origin", "actions are not taken for pages of another origin");
        }
        String type = headers.first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            return refuse(Code.UNSUPPORTED_MEDIA, "content_type", "send Content-Type: application/json");
        }
        List<String> presented = headers.all("Authorization");
        if (presented.isEmpty()) {
            return refuse(Code.UNAUTHENTICATED, "missing_credential", "send Authorization: Bearer <operator token>");
        }
        if (presented.size() > 1
                || !presented.getFirst().startsWith(BEARER)
                || !credential.test(presented.getFirst().substring(BEARER.length()))) {
            return refuse(Code.UNAUTHENTICATED, "bad_credential", "the operator token is not the one of this node");
        }
        return Optional.empty();
    }

    private boolean isOurs(String name) {
        return name.equals("localhost")
                || name.equals("::1")
                || name.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}")
                || hosts.contains(name);
    }

    /** The name without its port; an address in brackets without the brackets. */
    private static String hostName(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (lower.startsWith("[")) {
            int end = lower.indexOf(']');
            return end < 0 ? "" : lower.substring(1, end);
        }
        int colon = lower.lastIndexOf(':');
        return colon < 0 ? lower : lower.substring(0, colon);
    }

    private static boolean isOriginOf(String origin, String host) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Optional<RonException> refuse(Code code, String reason, String detail) {
        return Optional.of(new RonException(code, reason, detail));
    }

    private static String shown(String host) {
        return host.length() > 64 ? host.substring(0, 64) : host;
    }
}
