package dev.ron.admin.expose;

import dev.ron.admin.expose.ParseReport.Flaw;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads one line: a comment, or a sample with its series, value, and whatever follows. */
final class LineReader {
    private static final int MAX_VALUE_BYTES = 1024;
    private static final String EOF = "EOF";

    private final SampleSink sink;
    private final Labels labels = new Labels();
    private final Numbers number = new Numbers();
    private byte[] unescaped = new byte[256];
    private boolean taken;

    LineReader(SampleSink sink) {
        this.sink = sink;
    }

    /** Whether the sink got a sample from the last line. */
    boolean taken() {
        return taken;
    }

    /** Reads what follows the #; true when it says that the body ends here. */
    boolean comment(byte[] text, int from, int to) {
        int word = Ascii.skipBlanks(text, from, to);
        int end = Ascii.skipWord(text, word, to);
        if (Ascii.equals(text, word, end, EOF)) {
            return Ascii.skipBlanks(text, end, to) == to;
        }
        if (Ascii.equals(text, word, end, "TYPE")) {
            int name = Ascii.skipBlanks(text, end, to);
            int nameEnd = Ascii.skipName(text, name, to);
            int type = Ascii.skipBlanks(text, nameEnd, to);
            int typeEnd = Ascii.skipWord(text, type, to);
            if (nameEnd > name && type > nameEnd && typeEnd > type) {
                sink.type(Ascii.text(text, name, nameEnd), Ascii.text(text, type, typeEnd));
            }
        }
        return false;
    }

    @Nullable
    Flaw read(byte[] text, int from, int to) {
        taken = false;
        int nameEnd = Ascii.skipName(text, from, to);
        if (nameEnd == from && text[from] != '{') {
            return Flaw.NAME;
        }
        if (nameEnd < to && !Ascii.isBlank(text[nameEnd]) && text[nameEnd] != '{') {
            return Flaw.NAME;
        }
        if (nameEnd > from && !sink.wants(text, from, nameEnd, to)) {
            return null;
        }
        int open = Ascii.skipBlanks(text, nameEnd, to);
        int seriesEnd = open < to && text[open] == '{' ? closing(text, open + 1, to) : nameEnd;
        if (seriesEnd < 0) {
            return Flaw.LABELS;
        }
        if (!value(text, seriesEnd, to)) {
            return Flaw.VALUE;
        }
        double value = number.value();
        if (!rest(text, valueEnd, to)) {
            return Flaw.VALUE;
        }
        long series = hash(text, from, seriesEnd);
        if (sink.known(series, value)) {
            taken = true;
            return null;
        }
        return fresh(text, from, nameEnd, open, seriesEnd, series, value);
    }

    private int valueEnd;

    private boolean value(byte[] text, int from, int to) {
        int at = Ascii.skipBlanks(text, from, to);
        valueEnd = Ascii.skipWord(text, at, to);
        return number.read(text, at, valueEnd);
    }

    /** A timestamp, which is not used, and an exemplar, which is not looked into. */
    private boolean rest(byte[] text, int from, int to) {
        int at = Ascii.skipBlanks(text, from, to);
        if (at < to && text[at] != '#') {
            int end = Ascii.skipWord(text, at, to);
            if (!number.read(text, at, end)) {
                return false;
            }
            at = Ascii.skipBlanks(text, end, to);
        }
        return at == to || text[at] == '#';
    }

    /** The place after the brace that closes the labels, which may stand in quotes before it; -1 where none does. */
    private static int closing(byte[] text, int from, int to) {
        boolean quoted = false;
        for (int i = from; i < to; i++) {
            byte b = text[i];
            if (quoted) {
                if (b == '\\') {
                    i++;
                } else if (b == '"') {
                    quoted = false;
                }
            } else if (b == '"') {
                quoted = true;
            } else if (b == '}') {
                return i + 1;
            }
        }
        return -1;
    }

    private @Nullable Flaw fresh(
            byte[] text, int from, int nameEnd, int open, int seriesEnd, long series, double value) {
        labels.clear();
        String name = Ascii.text(text, from, nameEnd);
        if (seriesEnd > nameEnd) {
            Flaw flaw = labels(text, open + 1, seriesEnd - 1, name.isEmpty());
            if (flaw != null) {
                return flaw;
            }
            if (name.isEmpty()) {
                if (quotedName == null) {
                    return Flaw.NAME;
                }
                name = quotedName;
                byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
                if (!sink.wants(bytes, 0, bytes.length, bytes.length)) {
                    return null;
                }
            }
        }
        taken = true;
        sink.sample(series, name, labels, value);
        return null;
    }

    private @Nullable String quotedName;

    /** Reads what stands between the braces; the first quoted text may be the name of the metric. */
    private @Nullable Flaw labels(byte[] text, int from, int to, boolean nameInside) {
        quotedName = null;
        int at = Ascii.skipBlanks(text, from, to);
        while (at < to) {
            boolean quoted = text[at] == '"';
            int nameEnd = quoted ? closingQuote(text, at + 1, to) : Ascii.skipName(text, at, to);
            if (nameEnd < 0 || nameEnd == at) {
                return Flaw.LABELS;
            }
            String label = quoted ? unescape(text, at + 1, nameEnd - 1) : Ascii.text(text, at, nameEnd);
            at = Ascii.skipBlanks(text, nameEnd, to);
            if (quoted && nameInside && quotedName == null && (at == to || text[at] == ',')) {
                quotedName = label;
            } else {
                if (at >= to || text[at] != '=') {
                    return Flaw.LABELS;
                }
                at = Ascii.skipBlanks(text, at + 1, to);
                if (at >= to || text[at] != '"') {
                    return Flaw.LABELS;
                }
                int valueEnd = closingQuote(text, at + 1, to);
                if (valueEnd < 0) {
                    return Flaw.LABELS;
                }
                if (!labels.add(label, unescape(text, at + 1, valueEnd - 1))) {
                    return Flaw.TOO_MANY_LABELS;
                }
                at = Ascii.skipBlanks(text, valueEnd, to);
            }
            if (at < to) {
                if (text[at] != ',') {
                    return Flaw.LABELS;
                }
                at = Ascii.skipBlanks(text, at + 1, to);
            }
        }
        return null;
    }

    private static int closingQuote(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] == '\\') {
                i++;
            } else if (text[i] == '"') {
                return i + 1;
            }
        }
        return -1;
    }

    /** The text with its escapes undone, cut to what is kept; a byte that is not UTF-8 becomes U+FFFD. */
    private String unescape(byte[] text, int from, int to) {
        if (unescaped.length < to - from) {
            unescaped = new byte[to - from];
        }
        int n = 0;
        for (int i = from; i < to; i++) {
            byte b = text[i];
            if (b == '\\' && i + 1 < to) {
                byte next = text[i + 1];
                if (next == 'n' || next == '"' || next == '\\') {
                    b = next == 'n' ? (byte) '\n' : next;
                    i++;
                }
            }
            unescaped[n++] = b;
        }
        byte[] kept = n > MAX_VALUE_BYTES ? Arrays.copyOf(unescaped, MAX_VALUE_BYTES) : unescaped;
        return new String(kept, 0, Math.min(n, MAX_VALUE_BYTES), StandardCharsets.UTF_8);
    }

    /** Two rounds of a multiplying hash; a node that finds a collision deceives itself alone. */
    private static long hash(byte[] text, int from, int to) {
        long h = 0xcbf29ce484222325L ^ (to - from);
        for (int i = from; i < to; i++) {
            h = (h ^ text[i]) * 0x100000001b3L;
        }
        h ^= h >>> 32;
        return h * 0x9e3779b97f4a7c15L;
    }
}
