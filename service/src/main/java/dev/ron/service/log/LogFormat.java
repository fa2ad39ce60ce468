package dev.ron.service.log;

import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** How a line looks: for machines, or for a person at a terminal. Both are redacted. */
public enum LogFormat {
    JSON {
        @Override
        String write(LogLine line) {
            StringWriter out = new StringWriter(256);
            try (JsonGenerator json = JsonMapper.shared().createGenerator(out)) {
                json.writeStartObject();
                json.writeStringProperty("ts", RFC3339.format(line.at().atOffset(ZoneOffset.UTC)));
                json.writeStringProperty("level", line.level());
                json.writeStringProperty("service", line.service());
                json.writeStringProperty("event", Redaction.clean(line.message()));
                if (!line.corrId().equals("-") && !line.fields().containsKey("corr_id")) {
                    json.writeStringProperty("corr_id", line.corrId());
                }
                if (!line.traceId().isEmpty()) {
                    json.writeStringProperty("trace_id", line.traceId());
                }
                for (Map.Entry<String, Object> field : line.fields().entrySet()) {
                    field(json, field.getKey(), field.getValue());
                }
                json.writeStringProperty("task", line.task());
                json.writeStringProperty("logger", line.logger());
                if (line.thrown() != null) {
                    json.writeStringProperty("stack", Redaction.clean(line.stack()));
                }
                json.writeEndObject();
            }
            return out.append('\n').toString();
        }

        private void field(JsonGenerator json, String key, Object value) {
            switch (value) {
                case Object _ when Redaction.isSecretField(key) -> json.writeStringProperty(key, "***");
                case Long n -> json.writeNumberProperty(key, n);
                case Integer n -> json.writeNumberProperty(key, n);
                case Double n when Double.isFinite(n) -> json.writeNumberProperty(key, n);
                case Boolean b -> json.writeBooleanProperty(key, b);
                default -> json.writeStringProperty(key, Redaction.clean(String.valueOf(value)));
            }
        }
    },
    TEXT {
        @Override
        String write(LogLine line) {
            StringBuilder out = new StringBuilder(160)
                    .append(CLOCK.format(line.at().atOffset(ZoneOffset.UTC)))
                    .append(' ')
                    .append(String.format(Locale.ROOT, "%-5s", line.level().toUpperCase(Locale.ROOT)))
                    .append(' ')
                    .append(line.service())
                    .append("  ")
                    .append(oneLine(Redaction.clean(line.message())));
            line.fields()
                    .forEach((key, value) -> out.append(' ')
                            .append(key)
                            .append('=')
                            .append(
                                    Redaction.isSecretField(key)
                                            ? "***"
                                            : oneLine(Redaction.clean(String.valueOf(value)))));
            if (!line.corrId().equals("-")) {
                out.append(" corr_id=").append(line.corrId());
            }
            out.append('\n');
            return line.thrown() == null
                    ? out.toString()
                    : out.append(Redaction.clean(line.stack())).append('\n').toString();
        }
    };

    private static final DateTimeFormatter RFC3339 =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    /** One line, or a line and its stack, with the line break. */
    abstract String write(LogLine line);

    /** What a client sends must not look like a line of ours, nor move the cursor. */
    private static String oneLine(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (c == '\n') {
                out.append("\\n");
            } else if (c < ' ' || c == 127) {
                out.append('\uFFFD');
            } else {
                out.append((char) c);
            }
        });
        return out.toString();
    }
}
