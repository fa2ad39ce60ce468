package dev.ron.bench.side;

import java.util.List;

/** One bar per number, drawn as a part of what it must reach, so that numbers of any unit stand in one picture. */
record ScoreChart(String name, List<Scorecard.Row> rows) {
    private static final int TEXT = 330;
    private static final int ONE = 150; // pixels that stand for "just reached"
    private static final int MOST = 2 * ONE;
    private static final int ROW = 26;
    private static final int TOP = 40;

    String svg() {
        int height = TOP + rows.size() * ROW + 14;
        int width = TEXT + MOST + 190;
        StringBuilder out = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" rx="6" fill="#ffffff"/>
                <text x="12" y="22" font-weight="bold" fill="#111827">ron bench %3$s</text>
                <text x="%4$d" y="22" text-anchor="middle" fill="#6b7280">must</text>
                """.formatted(width, height, name, TEXT + ONE));
        for (int i = 0; i < rows.size(); i++) {
            out.append(bar(rows.get(i), TOP + i * ROW));
        }
        return out.append("""
                <line x1="%1$d" x2="%1$d" y1="28" y2="%2$d" stroke="#6b7280" stroke-dasharray="3 3"/>
                </svg>
                """.formatted(TEXT + ONE, height - 10)).toString();
    }

    private static String bar(Scorecard.Row row, int y) {
        int length = Double.isFinite(row.progress()) ? (int) Math.clamp(row.progress() * ONE, 2, MOST) : 2;
        return """
                <text x="%d" y="%d" text-anchor="end" fill="#111827">%s</text>
                <rect x="%d" y="%d" width="%d" height="16" rx="2" fill="%s"/>
                <text x="%d" y="%d" fill="#374151">%s</text>
                """.formatted(
                        TEXT - 8,
                        y + 13,
                        row.what(),
                        TEXT,
                        y + 1,
                        length,
                        row.reached() ? "#0f766e" : "#b45309",
                        TEXT + Math.max(length, ONE) + 8,
                        y + 13,
                        row.measured());
    }
}
