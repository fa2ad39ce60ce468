package dev.ron.service.trace;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The W3C {@code traceparent} of one step of a trace; any input is continued if valid and replaced if not. */
public record TraceContext(String traceId, String spanId, boolean sampled) {
    // A later version may append fields; its first four must look like ours. Version ff is never valid.
    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final String NO_TRACE = "0".repeat(32);
    private static final String NO_SPAN = "0".repeat(16);

    public static Optional<TraceContext> parse(String header) {
        Matcher m = FORM.matcher(header);
        if (!m.matches()
                || m.group(1).equals("ff")
                || (m.group(1).equals("00") && m.group(5) != null)
                || m.group(2).equals(NO_TRACE)
                || m.group(3).equals(NO_SPAN)) {
            return Optional.empty();
        }
        boolean sampled = (Integer.parseInt(m.group(4), 16) & 1) == 1;
        return Optional.of(new TraceContext(m.group(2), m.group(3), sampled));
    }

    public static TraceContext create() {
        return new TraceContext(hex(8) + hex(8), hex(8), true);
    }

    /** The next step of the caller's trace, or of a new one. */
    public static TraceContext continueFrom(String header) {
        return parse(header).map(TraceContext::child).orElseGet(TraceContext::create);
    }

    public TraceContext child() {
        return new TraceContext(traceId, hex(8), sampled);
    }

    /** The header value. */
    public String traceparent() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }

    private static String hex(int bytes) {
        long value = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        return HexFormat.of().toHexDigits(value, bytes * 2);
    }
}
