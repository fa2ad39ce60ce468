package dev.ron.admin.expose;

import dev.ron.admin.expose.ParseReport.Flaw;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;

/**
 * Reads Prometheus text 0.0.4 and OpenMetrics 1.0, pushed in any pieces.
 *
 * <p>It never throws and never keeps more than one line. A piece is cut into lines first, so what is read does not
 * depend on where the pieces were cut; a line that is wrong is skipped, counted, and changes nothing else. A line
 * that is longer than the cap is skipped as a whole, however it came.
 */
public final class ExpositionParser {
    static final int MAX_LINE = 16 << 10;
    static final long MAX_SAMPLES = 50_000;

    private final LineReader reader;
    private final byte[] line = new byte[MAX_LINE];
    private final Map<Flaw, Long> bad = new EnumMap<>(Flaw.class);
    private final byte[] piece = new byte[MAX_LINE];
    private int length; // of what is kept of an unfinished line
    private boolean overlong;
    private boolean ended; // by # EOF, or by the cap on samples
    private boolean truncated;
    private long lines;
    private long samples;

    public ExpositionParser(SampleSink sink) {
        this.reader = new LineReader(sink);
    }

    public void feed(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int n = Math.min(piece.length, bytes.remaining());
            bytes.get(piece, 0, n);
            feed(piece, 0, n);
        }
    }

    public void feed(byte[] bytes, int from, int to) {
        int start = from;
        for (int i = from; i < to && !ended; i++) {
            if (bytes[i] == '\n') {
                endLine(bytes, start, i);
                start = i + 1;
            }
        }
        if (!ended) {
            keep(bytes, start, to);
        }
    }

    private void endLine(byte[] bytes, int start, int end) {
        if (length == 0 && !overlong) {
            line(bytes, start, end);
        } else {
            keep(bytes, start, end);
            finishLine();
        }
    }

    private void finishLine() {
        if (overlong) {
            count(Flaw.TOO_LONG);
            lines++;
        } else {
            line(line, 0, length);
        }
        length = 0;
        overlong = false;
    }

    private void keep(byte[] bytes, int from, int to) {
        int n = to - from;
        if (overlong || n > MAX_LINE - length) {
            overlong = true;
            return;
        }
        System.arraycopy(bytes, from, line, length, n);
        length += n;
    }

    /** The end of the body; a last line without a line end counts like any other. */
    public ParseReport finish() {
        if (!ended && (length > 0 || overlong)) {
            finishLine();
        }
        return new ParseReport(lines, samples, bad, truncated);
    }

    private void line(byte[] bytes, int start, int end) {
        if (end - start > MAX_LINE) {
            // Only a caller's own array can hold such a line in one piece; it is as long as if it had come in two.
            lines++;
            count(Flaw.TOO_LONG);
            return;
        }
        int from = Ascii.skipBlanks(bytes, start, end);
        int to = end > from && bytes[end - 1] == '\r' ? end - 1 : end;
        if (from >= to) {
            return;
        }
        if (bytes[from] == '#') {
            ended = reader.comment(bytes, from + 1, to);
            return;
        }
        lines++;
        if (samples == MAX_SAMPLES) {
            truncated = true;
            ended = true;
            return;
        }
        Flaw flaw = reader.read(bytes, from, to);
        if (flaw != null) {
            count(flaw);
        } else if (reader.taken()) {
            samples++;
        }
    }

    private void count(Flaw flaw) {
        bad.merge(flaw, 1L, Long::sum);
    }
}
