package dev.ron.http.problem;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;

/**
 * An error as the caller sees it, `application/problem+json`.
 *
 * @param status the HTTP status
 * @param title the family in words; the same for every problem of a code
 * @param detail what happened this time, in words that may leave the process; empty is left out
 * @param instance the path of the request; empty is left out
 * @param code the family of failure, {@link Code#id()}
 * @param reason the specific word: metric label, log field and problem member alike
 * @param retryable whether the same request may succeed later
 * @param retryAfter whole seconds until a retry makes sense, equal to the Retry-After header; 0 is left out
 * @param corrId the correlation id of the request
 */
public record Problem(
        int status,
        String title,
        String detail,
        String instance,
        String code,
        String reason,
        boolean retryable,
        int retryAfter,
        String corrId) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** Every 429 and 503 says when to come back: at least one second. */
    public Problem {
        if (status < 400 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 400..599)");
        }
        retryAfter = status == 429 || status == 503 ? Math.max(1, retryAfter) : Math.max(0, retryAfter);
    }

    /** The problem for a failure; only the detail of an internal error stays inside. */
    public static Problem of(RonException failure, String instance, String corrId) {
        Code code = failure.code();
        return new Problem(
                code.status(),
                code.title(),
                code == Code.INTERNAL ? "" : failure.detail(),
                instance,
                code.id(),
                failure.reason(),
                code.retryable(),
                failure.retryAfter().map(Problem::wholeSeconds).orElse(0),
                corrId);
    }

    /** The problem for a defect: nothing of it is shown. */
    public static Problem internal(String instance, String corrId) {
        return of(new RonException(Code.INTERNAL, ""), instance, corrId);
    }

    /** Rounded up: a client that waits this long never comes too early. */
    public static int wholeSeconds(Duration wait) {
        long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
        return Math.clamp(seconds, 1, Integer.MAX_VALUE);
    }

    public String type() {
        return "urn:ron:problem:" + code;
    }

    public byte[] toJson() {
        return ProblemWriter.write(this);
    }

    /** Reads a body that another RON service wrote; anything else is a typed parse error. */
    public static Problem parse(byte[] body) {
        return ProblemReader.read(body);
    }
}
