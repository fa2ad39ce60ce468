package dev.ron.token.json;

/** Which characters a text may have; all are ASCII. */
public enum Alphabet {
    /** Visible characters. */
    PRINTABLE("!\"#$%&'()*+,/:;<=>?@[\\]^`{|}~_-." + Alphabet.ALPHANUMERIC),
    /** Tenants and caveat types. */
    NAME("_-." + Alphabet.ALPHANUMERIC),
    /** Methods. */
    CAPITALS("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    private static final String ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private final long low;
    private final long high;

    Alphabet(String characters) {
        this.low =
                characters.chars().filter(c -> c < 64).mapToLong(c -> 1L << c).reduce(0, (a, b) -> a | b);
        this.high =
                characters.chars().filter(c -> c >= 64).mapToLong(c -> 1L << c).reduce(0, (a, b) -> a | b);
    }

    /** True if the text has no other character. */
    public boolean spells(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            long set = c < 64 ? low : c < 128 ? high : 0;
            if ((set >>> c & 1) == 0) {
                return false;
            }
        }
        return true;
    }
}
