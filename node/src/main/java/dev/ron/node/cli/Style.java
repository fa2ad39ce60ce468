package dev.ron.node.cli;

/** Words in colour where a person looks at a terminal, and nothing but the words elsewhere. */
record Style(boolean coloured) {
    static final Style PLAIN = new Style(false);
    private static final int BAR = 16;

    /** For a terminal, unless the reader asked for no colour (see no-color.org). */
    static Style forScreen() {
        String unwanted = System.getenv("NO_COLOR");
        return new Style(unwanted == null || unwanted.isEmpty());
    }

    String strong(String text) {
        return in("1", text);
    }

    String faint(String text) {
        return in("2", text);
    }

    String good(String text) {
        return in("32", text);
    }

    String watchful(String text) {
        return in("33", text);
    }

    String bad(String text) {
        return in("1;31", text);
    }

    private String in(String code, String text) {
        return coloured ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    /** A bar so full; the two halves differ without colour too. */
    static String bar(double part) {
        int full = (int) Math.round(Math.clamp(part, 0, 1) * BAR);
        return "\u2588".repeat(full) + "\u2591".repeat(BAR - full);
    }
}
