package dev.ron.service.trace;

import java.time.Instant;
import java.util.Map;

/** One finished step: {@code svc.<service>.<operation>}. */
public record Span(
        String name,
        String service,
        TraceContext context,
        String parentSpanId,
        Instant start,
        Instant end,
        Map<String, String> attributes,
        boolean ok) {}
