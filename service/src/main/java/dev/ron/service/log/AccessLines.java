package dev.ron.service.log;

import dev.ron.http.server.AccessLog;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The access log: a sample of what went well, some of what was refused, and how many lines were left out.
 *
 * <p>Every request counts in the metrics. A line for each would make a flood of refusals cost more than the requests.
 */
public final class AccessLines implements AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger("access");
    private static final double GOOD_PER_SECOND = 5;
    private static final double BAD_PER_SECOND = 20;
    // What machines ask by the clock tells a reader nothing while it goes well: only with level debug.
    private static final Set<String> ROUTINE = Set.of(
            "/healthz", "/readyz", "/readyz/write", "/metrics", "/.well-known/jwks.json", "/v1/passport/revocations");

    private final TokenBucket good;
    private final TokenBucket bad;
    private final LongAdder leftOut = new LongAdder();

    public AccessLines(Clock clock) {
        this.good = new TokenBucket(clock, GOOD_PER_SECOND, GOOD_PER_SECOND);
        this.bad = new TokenBucket(clock, BAD_PER_SECOND, BAD_PER_SECOND);
    }

    @Override
    public boolean wants(int status) {
        boolean wanted = LOG.isInfoEnabled() && (status < 400 ? good : bad).tryTake() == 0;
        if (!wanted) {
            leftOut.increment();
        }
        return wanted;
    }

    @Override
    public void log(Entry entry) {
        boolean routine = entry.status() < 400 && ROUTINE.contains(entry.route());
        LoggingEventBuilder line = LOG.atLevel(routine ? Level.DEBUG : Level.INFO)
                .addKeyValue("method", entry.method())
                .addKeyValue("route", entry.route())
                .addKeyValue("status", entry.status())
                .addKeyValue("reason", entry.reason())
                .addKeyValue("latency_ms", entry.nanos() / 1e6)
                .addKeyValue("bytes_in", entry.bytesIn())
                .addKeyValue("bytes_out", entry.bytesOut())
                .addKeyValue("corr_id", entry.corrId())
                .addKeyValue("peer_addr", String.valueOf(entry.peer()))
                .addKeyValue("left_out", leftOut.sumThenReset());
        for (Map.Entry<String, Object> detail : entry.details().entrySet()) {
            line = line.addKeyValue(detail.getKey(), detail.getValue());
        }
        line.log("request");
    }
}
