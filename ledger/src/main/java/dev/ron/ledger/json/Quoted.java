package dev.ron.ledger.json;

/** Puts foreign text into a message: cut to a readable length, with everything but plain ASCII escaped. */
public final class Quoted {
    private static final int MAX = 80;

    private Quoted() {}

    public static String of(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), MAX); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
                out.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append(text.length() > MAX ? "…\"" : "\"").toString();
    }
}
