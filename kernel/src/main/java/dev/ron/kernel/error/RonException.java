package dev.ron.kernel.error;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure with a stable code, the metric's {@code reason}, and a detail that is safe to show.
 *
 * <p>Refusals are ordinary answers on hot paths, so a stack trace is taken only for {@link Code#INTERNAL} and where
 * another exception is the cause.
 */
public class RonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;
    private final String reason;
    private final @Nullable Duration retryAfter;

    public RonException(Code code, String reason, String detail) {
        this(code, reason, detail, null, null);
    }

    public RonException(Code code, String detail) {
        this(code, code.id(), detail, null, null);
    }

    public RonException(
            Code code, String reason, String detail, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(detail, cause, false, cause != null || code == Code.INTERNAL);
        this.code = code;
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    public final Code code() {
        return code;
    }

    /** The specific word: metric label, log field and problem member alike. */
    public final String reason() {
        return reason;
    }

    /** What happened, in words that may leave the process. */
    public final String detail() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }

    public final Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
