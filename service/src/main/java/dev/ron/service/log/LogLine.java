package dev.ron.service.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.ron.kernel.call.CallContext;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** One log event, taken on the thread that logs; everything costly (stack, escaping, redaction) waits for the writer. */
public record LogLine(
        Instant at,
        String level,
        String logger,
        String thread,
        String message,
        String corrId,
        String traceId,
        Map<String, Object> fields,
        @Nullable IThrowableProxy thrown) {

    static LogLine of(ILoggingEvent event) {
        CallContext context = CallContext.current();
        Map<String, Object> fields = new LinkedHashMap<>();
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                fields.put(pair.key, pair.value == null ? "null" : pair.value);
            }
        }
        return new LogLine(
                event.getInstant(),
                event.getLevel().toString().toLowerCase(Locale.ROOT),
                event.getLoggerName(),
                event.getThreadName(),
                event.getFormattedMessage(),
                context.corrId(),
                traceId(context.traceparent()),
                fields,
                event.getThrowableProxy());
    }

    private static String traceId(@Nullable String traceparent) {
        return traceparent == null || traceparent.length() < 35 ? "" : traceparent.substring(3, 35);
    }

    /** Tasks run on threads named {@code service/task}; anything else belongs to the process. */
    String service() {
        int slash = thread.indexOf('/');
        return slash > 0 ? thread.substring(0, slash) : "node";
    }

    String task() {
        int slash = thread.indexOf('/');
        return slash > 0 ? thread.substring(slash + 1) : thread;
    }

    String stack() {
        return thrown == null ? "" : ThrowableProxyUtil.asString(thrown);
    }
}
