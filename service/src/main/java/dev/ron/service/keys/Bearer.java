package dev.ron.service.keys;

import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.token.Reason;
import dev.ron.token.verify.Decision;
import java.time.Duration;
import java.util.List;

/** The credential of a request, and how a refused one is answered. */
public final class Bearer {
    /** What a 401 carries (RFC 6750). */
    public static final String CHALLENGE = "Bearer error=\"invalid_token\"";

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
