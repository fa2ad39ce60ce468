package dev.ron.bench.fairness;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws what A notices of each flood: its median and 99th percentile behind each proxy, on a logarithmic scale. */
final class Chart {
    private static final int LEFT = 130;
    private static final int WIDTH = 560;
    private static final int ROW = 16;
    private static final int GAP = 22;
    private static final double LEAST = 1;
    private static final double MOST = 30_000;
    private static final Map<String, String> COLOURS =
            Map.of("ron", "#0f766e", "nginx", "#b45309", "haproxy", "#6d28d9");

    private Chart() {}

    static String of(Map<String, Map<String, Paced.Result>> seen) {
        int rows = seen.values().stream().mapToInt(Map::size).sum();
        int height = 70 + rows * ROW + seen.size() * GAP;
        StringBuilder out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">%n",
                LEFT + WIDTH + 90,
                height));
        out.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        text(
                out,
                10,
                20,
                "A paced tenant beside a flood: time from due to answered, median (solid) to 99th percentile (pale), ms");
        for (double tick : List.of(1.0, 10.0, 100.0, 1_000.0, 10_000.0)) {
            out.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"34\" y2=\"%2$d\" stroke=\"#e5e7eb\"/>%n",
                    x(tick),
                    height - 20));
            text(out, (int) x(tick) - 8, height - 6, String.format(Locale.ROOT, "%.0f", tick));
        }
        int y = 50;
        for (Map.Entry<String, Map<String, Paced.Result>> flood : seen.entrySet()) {
            text(out, 10, y + 8, flood.getKey());
            for (Map.Entry<String, Paced.Result> one : flood.getValue().entrySet()) {
                bar(out, y, one.getKey(), one.getValue());
                y += ROW;
            }
            y += GAP;
        }
        return out.append("</svg>\n").toString();
    }

    private static void bar(StringBuilder out, int y, String proxy, Paced.Result result) {
        double p50 = result.millis(0.5);
        double p99 = result.millis(0.99);
        String colour = COLOURS.getOrDefault(proxy, "#374151");
        rect(out, LEFT, y, x(p99) - LEFT, colour, 0.35);
        rect(out, LEFT, y, x(p50) - LEFT, colour, 1);
        String refused = result.refused() == 0 ? "" : ", " + result.refused() + " refused or lost";
        text(out, (int) x(p99) + 6, y + 9, String.format(Locale.ROOT, "%s %.1f / %.1f%s", proxy, p50, p99, refused));
    }

    private static double x(double millis) {
        double clipped = Double.isNaN(millis) ? MOST : Math.clamp(millis, LEAST, MOST);
        return LEFT + WIDTH * 0.7 * Math.log(clipped / LEAST) / Math.log(MOST / LEAST);
    }

    private static void rect(StringBuilder out, double x, int y, double width, String colour, double opacity) {
        out.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"11\" fill=\"%s\" fill-opacity=\"%.2f\"/>%n",
                x,
                y,
                Math.max(1, width),
                colour,
                opacity));
    }

    private static void text(StringBuilder out, int x, int y, String words) {
        out.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" fill=\"#111827\">%s</text>%n", x, y, words));
    }
}
