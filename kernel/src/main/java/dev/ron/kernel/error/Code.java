package dev.ron.kernel.error;

import java.util.Locale;

/** The families of failure; a code never changes its meaning, and each maps to one HTTP status. */
public enum Code {
    BUSY(429, true, "Too busy"),
    RATE_LIMITED(429, true, "Rate limit reached"),
    QUOTA_EXHAUSTED(429, true, "Quota exhausted"),
    TIMEOUT(504, true, "Deadline passed"),
    SLOW_CLIENT(408, true, "Request arrived too slowly"),
    CANCELED(503, false, "Stopped before it finished"),
    DRAINING(503, true, "Shutting down"),
    DEGRADED(503, true, "Degraded"),
    UNAVAILABLE(503, true, "Unavailable"),
    LAGGING(500, false, "Fell behind"),
    OVER_LIMIT(413, false, "Body too large"),
    DECODE_BOMB(413, false, "Decoded body too large"),
    HEADER_CAP(431, false, "Header block too large"),
    URI_CAP(414, false, "Request target too long"),
    UNSUPPORTED_ENCODING(415, false, "Unsupported content coding"),
    UNSUPPORTED_MEDIA(415, false, "Unsupported media type"),
    BAD_REQUEST(400, false, "Malformed request"),
    PARSE_ERROR(400, false, "Malformed body"),
    UNAUTHENTICATED(401, false, "Not authenticated"),
    FORBIDDEN(403, false, "Not allowed"),
    POLICY_REJECT(403, false, "Refused by policy"),
    NOT_FOUND(404, false, "Not found"),
    METHOD(405, false, "Method not allowed"),
    NOT_ACCEPTABLE(406, false, "No acceptable form"),
    GONE(410, false, "Gone"),
    CONFLICT(409, true, "Conflict"),
    PRECONDITION_FAILED(412, false, "Precondition failed"),
    RANGE(416, false, "Range not satisfiable"),
    EXPECTATION(417, false, "Expectation not supported"),
    MISDIRECTED(421, false, "Wrong host"),
    UNPROCESSABLE(422, false, "Cannot be done as asked"),
    UPSTREAM_TIMEOUT(504, true, "Upstream too slow"),
    UPSTREAM_CONNECT(502, true, "Upstream unreachable"),
    UPSTREAM_PARSE(502, false, "Upstream answered garbage"),
    CIRCUIT_OPEN(503, true, "Circuit open"),
    STORAGE_BUSY(503, true, "Storage busy"),
    VERSION(505, false, "HTTP version not supported"),
    LOOP(508, false, "Request loop"),
    INTERNAL(500, false, "Internal error");

    private final int status;
    private final boolean retryable;
    private final String title;
    private final String id;

    Code(int status, boolean retryable, String title) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
        this.id = name().toLowerCase(Locale.ROOT);
    }

    /** The word in problem bodies and logs, for example {@code over_limit}. */
    public String id() {
        return id;
    }

    public int status() {
        return status;
    }

    public boolean retryable() {
        return retryable;
    }

    public String title() {
        return title;
    }
}
