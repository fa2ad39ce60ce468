package dev.ron.service.keys;

import dev.ron.http.message.RequestHead;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.token.Reason;
import dev.ron.token.verify.Decision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The credential of a request, and how a refused one is answered. */
public final class Bearer {
    /** What a 401 carries (RFC 6750). */
    public static final String CHALLENGE = "Bearer error=\"invalid_token\"";

    private static final String REALM = "Bearer realm=\"ron\"";
    private static final String SCHEME = "Bearer ";

    private Bearer() {}

    /** The text after {@code Bearer}; exactly one credential must be there. */
    public static String of(RequestHead request) {
        List<String> sent = request.headers().all("Authorization");
        if (sent.size() > 1) {
            throw new RonException(Code.BAD_REQUEST, "bad_request", "more than one Authorization field");
        }
        if (sent.isEmpty() || !sent.getFirst().startsWith(SCHEME)) {
            throw new RonException(Code.UNAUTHENTICATED, "unauthenticated", "send Authorization: Bearer <token>");
        }
        return sent.getFirst().substring(SCHEME.length()).strip();
    }

    /**
     * The problem for a refused request, with the challenge of RFC 6750 where its credential is the cause: nothing but the
     * realm for who showed none, {@code invalid_token} or {@code insufficient_scope} for who did.
     */
    public static Response answer(RonException refused, RequestHead request) {
        Response problem = Response.problem(refused, request);
        return challenge(refused, request)
                .map(text -> problem.withHeader("WWW-Authenticate", text))
                .orElse(problem);
    }

    /** The value of {@code WWW-Authenticate}; empty where the credential is not the cause. */
    public static Optional<String> challenge(RonException refused, RequestHead request) {
        boolean shown = request.headers().contains("Authorization");
        return switch (refused.code()) {
            case UNAUTHENTICATED -> Optional.of(shown ? error("invalid_token", refused) : REALM);
            case FORBIDDEN -> shown ? Optional.of(error("insufficient_scope", refused)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static String error(String code, RonException refused) {
        return REALM + ", error=\"" + code + "\", error_description=\"" + refused.reason() + "\"";
    }

    /** The failure for a token that was denied: its first reason decides. */
    public static RonException denied(Decision.Deny deny) {
        return denied(deny.reason(), deny.detail());
    }

    public static RonException denied(Reason reason, String detail) {
        return switch (reason.kind()) {
            case IDENTITY -> new RonException(Code.UNAUTHENTICATED, reason.wire(), detail);
            case PERMISSION -> new RonException(Code.FORBIDDEN, reason.wire(), detail);
            case AVAILABILITY -> new RonException(Code.UNAVAILABLE, reason.wire(), detail, Duration.ofSeconds(2), null);
            case REQUEST -> new RonException(Code.BAD_REQUEST, reason.wire(), detail);
        };
    }
}
