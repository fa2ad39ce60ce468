package dev.ron.http.problem;

import dev.ron.http.json.JsonLimits;
import dev.ron.http.json.StrictJson;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads a problem body strictly: exactly the members of {@link Problem}, and a type that fits the code. */
final class ProblemReader {
    private static final StrictJson JSON = new StrictJson(new JsonLimits(2, 8192, 64 * 1024, 64));

    private ProblemReader() {}

    /** The members on the wire, by their names there. */
    record Wire(
            String type,
            String title,
            int status,
            Optional<String> detail,
            Optional<String> instance,
            String code,
            String reason,
            boolean retryable,
            OptionalInt retryAfter,
            String corrId) {}

    static Problem read(byte[] body) {
        Wire wire = JSON.read(body, Wire.class);
        boolean fits = wire.status >= 400 && wire.status <= 599 && wire.retryAfter.orElse(1) > 0;
        if (!fits) {
            throw bad("status " + wire.status + ", retry_after " + wire.retryAfter.orElse(0));
        }
        Problem problem = new Problem(
                wire.status,
                wire.title,
                wire.detail.orElse(""),
                wire.instance.orElse(""),
                wire.code,
                wire.reason,
                wire.retryable,
                wire.retryAfter.orElse(0),
                wire.corrId);
        if (!problem.type().equals(wire.type) || problem.retryAfter() != wire.retryAfter.orElse(0)) {
            throw bad("type or retry_after does not fit code and status");
        }
        return problem;
    }

    private static RonException bad(String detail) {
        return new RonException(Code.PARSE_ERROR, "problem", "not a problem body: " + detail);
    }
}
