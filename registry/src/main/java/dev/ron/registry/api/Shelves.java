package dev.ron.registry.api;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.Retry;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * Reads from disk for requests, on threads that may wait for it.
 *
 * <p>Never on the request's own thread: it is interrupted when its deadline passes, and an interrupt closes the file under
 * everybody. A read that fails is tried again a few times; reading changes nothing.
 */
final class Shelves {
    private final Lane lane;
    private final Retry retry;

    Shelves(Lane lane, Retry retry) {
        this.lane = lane;
        this.retry = retry;
    }

    <T> T read(Callable<T> job) {
        Deadline deadline = CallContext.current().deadline();
        try {
            return retry.call(deadline, () -> lane.call(deadline, () -> attempt(job)));
        } catch (RonException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("reading throws nothing else", e);
        }
    }

    private static <T> T attempt(Callable<T> job) throws Exception {
        try {
            return job.call();
        } catch (IOException e) {
            throw new RonException(
                    Code.STORAGE_BUSY, "storage_busy", "the log cannot be read: " + e.getMessage(), null, e);
        }
    }
}
