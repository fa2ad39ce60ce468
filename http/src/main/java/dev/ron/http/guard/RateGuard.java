package dev.ron.http.guard;

import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.TokenBucket;
import java.time.Duration;

/** Bounds how many requests begin per second: 429 {@code rate_limit} beyond, with the time until the next token. */
public final class RateGuard implements Guard {
    private final TokenBucket bucket;
    private final String key;

    /** {@code key} is the configuration key that raises the limit; it is named in the answer. */
    public RateGuard(TokenBucket bucket, String key) {
        this.bucket = bucket;
        this.key = key;
    }

    @Override
    public Verdict admit(RequestHead request) {
        long wait = bucket.tryTake();
        if (wait == 0) {
            return Verdict.PASS;
        }
        return Verdict.refuse(new RonException(
                Code.RATE_LIMITED, "rate_limit", "over the request rate of " + key, Duration.ofNanos(wait), null));
    }
}
