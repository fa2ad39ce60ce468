package dev.ron.http.guard;

import dev.ron.http.message.RequestHead;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Permits;
import java.time.Duration;

/** Bounds how many requests are in hand at once: 429 {@code busy} beyond. */
public final class InflightGuard implements Guard {
    private final Permits permits;
    private final Verdict full;

    public InflightGuard(Permits permits) {
        this.permits = permits;
        this.full = Verdict.refuse(
                new RonException(Code.BUSY, "busy", "too many requests in flight", Duration.ofSeconds(1), null));
    }

    @Override
    public Verdict admit(RequestHead request) {
        return permits.tryAcquire() ? Verdict.PASS : full;
    }

    @Override
    public void leave() {
        permits.release();
    }
}
