package dev.ron.http.server;

import java.net.SocketAddress;
import java.util.Map;

/**
 * Where a host reports who asked what.
 *
 * <p>It decides by status what it wants, so that a flood of refusals costs no objects: successes are to be sampled,
 * refusals added up.
 */
public interface AccessLog {

    /** Called for every answer, on an event loop; true to have its entry. */
    boolean wants(int status);

    void log(Entry entry);

    /**
     * One answer.
     *
     * @param reason the problem's reason; empty for any other answer
     * @param details what the handler adds
     */
    record Entry(
            String method,
            String path,
            String route,
            int status,
            String reason,
            long nanos,
            long bytesIn,
            long bytesOut,
            String corrId,
            SocketAddress peer,
            Map<String, Object> details) {}

    /** Wants nothing. */
    static AccessLog none() {
        return new AccessLog() {
            @Override
            public boolean wants(int status) {
                return false;
            }

            @Override
            public void log(Entry entry) {
                throw new IllegalStateException("an entry nobody wanted");
            }
        };
    }
}
