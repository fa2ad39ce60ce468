package dev.ron.service.config;

/** How a wrong value is quoted in a message: short, on one line. */
final class Shown {
    private static final int MAX_CHARS = 60;

    private Shown() {}

    static String of(Raw raw) {
        return switch (raw) {
            case Raw.Typed(String s, var _) -> "\"" + clean(s) + "\"";
            case Raw.Typed t -> clean(String.valueOf(t.value()));
            case Raw.Text t -> t.value().isEmpty() ? "\"\"" : clean(t.value());
            case Raw.Indirect i -> "the content of " + clean(i.path());
            case Raw.Items _ -> "a list";
            case Raw.Table _ -> "a table";
        };
    }

    private static String clean(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(MAX_CHARS).forEach(c -> out.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c));
        return text.codePointCount(0, text.length()) > MAX_CHARS ? out + "…" : out.toString();
    }
}
