package dev.ron.http.server;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A refusal the host itself makes, the same words for every request. */
record Refusal(
        Code code, String reason, String detail, @Nullable Duration retryAfter) {
    static final Refusal DRAINING =
            new Refusal(Code.DRAINING, "draining", "the service is stopping", Duration.ofSeconds(1));
    static final Refusal URI_CAP = new Refusal(Code.URI_CAP, "headers", "the request line is too long", null);
    static final Refusal HEADER_CAP =
            new Refusal(Code.HEADER_CAP, "headers", "the header block is too long or has too many fields", null);
    static final Refusal VERSION = new Refusal(Code.VERSION, "framing", "only HTTP/1.1 and HTTP/1.0", null);
    static final Refusal EXPECTATION = new Refusal(Code.EXPECTATION, "framing", "Expect knows only 100-continue", null);
    static final Refusal SLOW_HEAD =
            new Refusal(Code.SLOW_CLIENT, "slow_headers", "the request head did not arrive in time", null);
    static final Refusal SLOW_BODY =
            new Refusal(Code.SLOW_CLIENT, "slow_body", "the request body did not arrive in time", null);
    static final Refusal MISDIRECTED = new Refusal(Code.MISDIRECTED, "host", "this host is not served here", null);
    static final Refusal NOT_FOUND = new Refusal(Code.NOT_FOUND, "no_route", "nothing is served here", null);
    static final Refusal TIMEOUT = new Refusal(Code.TIMEOUT, "timeout", "no answer before the deadline", null);
    static final Refusal CANCELED = new Refusal(Code.CANCELED, "canceled", "the caller is gone", null);
    static final Refusal STOPPED =
            new Refusal(Code.CANCELED, "canceled", "stopped before it finished", Duration.ofSeconds(1));
    static final Refusal INTERNAL = new Refusal(Code.INTERNAL, "internal", "", null);

    static Refusal framing(String detail) {
        return new Refusal(Code.BAD_REQUEST, "framing", detail, null);
    }

    RonException exception() {
        return new RonException(code, reason, detail, retryAfter, null);
    }

    /** Throws this refusal unless what was required is there. */
    void unless(boolean required) {
        if (!required) {
            throw exception();
        }
    }
}
