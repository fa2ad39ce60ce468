package dev.ron.gateway.fields;

import static java.util.Map.entry;

import dev.ron.gateway.auth.Pass;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.Networks;
import dev.ron.gateway.fields.FieldTable.Rule;
import dev.ron.http.message.Headers;
import dev.ron.http.message.RequestHead;
import dev.ron.service.trace.TraceContext;
import dev.ron.token.verify.Principal;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes the header fields of the request to an upstream.
 *
 * <p>First everything that a caller may not say is taken away, also what its Connection field names; only then are our
 * own fields set, so that no caller can have them removed.
 */
public final class RequestFields {
    private static final long RESERVE_NANOS = TimeUnit.MILLISECONDS.toNanos(5); // for the way back of the answer

    /** Who a caller is, is for us to say. */
    private static final List<String> IDENTITY = List.of("x-user", "x-groups", "x-tenant", "x-ron-*", "x-auth-*");

    private static final Map<String, Rule> FIXED = Map.ofEntries(
            // for one hop only
            entry("connection", Rule.CONNECTION),
            entry("keep-alive", Rule.DROP),
            entry("proxy-connection", Rule.DROP),
            entry("te", Rule.DROP),
            entry("trailer", Rule.DROP),
            entry("transfer-encoding", Rule.DROP),
            entry("upgrade", Rule.DROP),
            entry("http2-settings", Rule.DROP),
            entry("proxy-authenticate", Rule.DROP),
            entry("proxy-authorization", Rule.DROP),
            // for us, unless the upstream asks for it
            entry("authorization", Rule.DROP),
            // set anew
            entry("host", Rule.DROP),
            entry("content-length", Rule.DROP),
            entry("expect", Rule.DROP),
            entry("via", Rule.VIA),
            entry("forwarded", Rule.DROP),
            entry("x-forwarded-for", Rule.DROP),
            entry("x-forwarded-proto", Rule.DROP),
            entry("x-forwarded-host", Rule.DROP),
            entry("x-forwarded-port", Rule.DROP),
            entry("x-real-ip", Rule.DROP),
            entry("x-corr-id", Rule.DROP),
            entry("x-request-id", Rule.DROP),
            entry("traceparent", Rule.DROP),
            entry("request-timeout", Rule.DROP),
            entry("deadline", Rule.DROP));

    private final FieldTable table;
    private final Via via;
    private final Networks trusted;
    private final Onward onward;

    public RequestFields(GatewayConfig.Proxy config, Via via, Onward onward) {
        List<String> dropped = new ArrayList<>(IDENTITY);
        dropped.addAll(config.stripHeaders());
        this.table = FieldTable.with(FIXED, dropped);
        this.via = via;
        this.trusted = new Networks(config.trustedCidrs());
        this.onward = onward;
    }

    /** Refuses what has come round in a circle. */
    public void refuseLoop(Headers headers) {
        via.refuseLoop(headers);
    }

    /**
     * @param host what the upstream is told; null passes on what the caller said
     * @param audience what an upstream that gets to see the caller's credential calls itself; null keeps it here
     */
    public Headers make(
            RequestHead request, @Nullable String host, @Nullable String audience, long remainingNanos, Pass pass) {
        Headers from = request.headers();
        Headers.Builder to = new Headers.Builder();
        int hostAt = from.indexOf("Host", 0);
        String asked = hostAt < 0 ? "" : from.value(hostAt);
        to.add("host", host == null ? asked : host);
        List<String> oneHop = ConnectionTokens.of(from);
        table.copyPassing(from, oneHop, to);
        String credential = audience == null ? null : onward.credential(from, oneHop, audience, pass.token());
        if (credential != null) {
            to.add("authorization", credential);
        }
        ours(request, asked, remainingNanos, to);
        identity(pass, to);
        return to.build();
    }

    /** The fields that follow a body, without what a caller may not say. */
    public Headers trailers(RequestHead request, Headers from) {
        return table.trailers(request.headers(), from);
    }

    /** Who asks, as the token says; nothing of this can come from a caller. */
    private static void identity(Pass pass, Headers.Builder to) {
        if (pass.source() == 0) {
            to.add("x-tenant", plain(pass.tenant().id()));
        }
        Principal who = pass.who();
        if (who != null) {
            to.add("x-user", plain(who.sub()));
            to.add("x-ron-issuer", plain(who.iss()));
            if (!pass.groups().isEmpty()) {
                to.add("x-groups", plain(String.join(",", pass.groups())));
            }
        }
    }

    /** As it is where that is a good field value, else percent-encoded. */
    private static String plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
                return URLEncoder.encode(text, StandardCharsets.UTF_8);
            }
        }
        return text;
    }

    private void ours(RequestHead request, String asked, long remainingNanos, Headers.Builder to) {
        via.append(request.headers(), to);
        boolean trusted = this.trusted.contain(request.peer());
        Headers said = request.headers();
        if (request.peer() instanceof InetSocketAddress peer) {
            String own = peer.getAddress().getHostAddress();
            String before = trusted ? String.join(", ", said.all("X-Forwarded-For")) : "";
            to.add("x-forwarded-for", before.isEmpty() ? own : before + ", " + own);
        }
        String proto = request.secure() ? "https" : "http";
        to.add("x-forwarded-proto", trusted ? said.first("X-Forwarded-Proto").orElse(proto) : proto);
        String host = trusted ? said.first("X-Forwarded-Host").orElse(asked) : asked;
        if (!host.isEmpty()) {
            to.add("x-forwarded-host", host);
        }
        to.add("x-corr-id", request.context().corrId());
        String trace = request.context().traceparent();
        to.add(
                "traceparent",
                TraceContext.continueFrom(trace == null ? "" : trace).traceparent());
        long millis = TimeUnit.NANOSECONDS.toMillis(remainingNanos - RESERVE_NANOS);
        to.add("request-timeout", Math.max(1, millis) + "ms");
    }
}
