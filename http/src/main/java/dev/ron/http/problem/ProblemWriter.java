package dev.ron.http.problem;

import java.nio.charset.StandardCharsets;

/** Writes a problem by hand: refusals are a hot path and the members are few and fixed. */
final class ProblemWriter {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder out = new StringBuilder(320);

    private ProblemWriter() {}

    static byte[] write(Problem problem) {
        ProblemWriter writer = new ProblemWriter();
        writer.text("type", problem.type());
        writer.text("title", problem.title());
        writer.raw("status", Integer.toString(problem.status()));
        writer.textUnlessEmpty("detail", problem.detail());
        writer.textUnlessEmpty("instance", problem.instance());
        writer.text("code", problem.code());
        writer.text("reason", problem.reason());
        writer.raw("retryable", problem.retryable() ? "true" : "false");
        if (problem.retryAfter() > 0) {
            writer.raw("retry_after", Integer.toString(problem.retryAfter()));
        }
        writer.text("corr_id", problem.corrId());
        return writer.out.append('}').toString().getBytes(StandardCharsets.UTF_8);
    }

    private void textUnlessEmpty(String name, String value) {
        if (!value.isEmpty()) {
            text(name, value);
        }
    }

    private void text(String name, String value) {
        member(name);
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7F) {
                out.append("\\u00").append(HEX[c >> 4 & 15]).append(HEX[c & 15]);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private void raw(String name, String value) {
        member(name);
        out.append(value);
    }

    private void member(String name) {
        out.append(out.isEmpty() ? '{' : ',').append('"').append(name).append("\":");
    }
}
