package dev.ron.bench.side;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a bench measured, against what it must reach: printed as a table, kept as JSON and as a chart.
 *
 * <p>Both go to {@code target/bench}, and with {@code --record} to {@code docs/bench}, which docs/benchmarks.md shows.
 */
public final class Scorecard {
    private final String name;
    private final List<String> flags;
    private final String setting;
    private final List<Row> rows = new ArrayList<>();

    /** {@code setting} says in one line what ran where. */
    public Scorecard(String name, List<String> flags, String setting) {
        this.name = name;
        this.flags = List.copyOf(flags);
        this.setting = setting;
    }

    /** One number; {@code must} is a floor, or a ceiling where less is better. */
    record Row(String what, double value, double least, double most, String unit, double must, boolean ceiling) {
        boolean reached() {
            return ceiling ? value <= must : value >= must;
        }

        /** How far it went towards what it must reach: 1 is just there, more is better. */
        double progress() {
            if (ceiling) {
                return value <= must && must == 0 ? 1 : must / value;
            }
            return value / must;
        }

        String measured() {
            String spread = least == most ? "" : " (" + number(least) + "-" + number(most) + ")";
            return number(value) + spread + " " + unit;
        }

        String wanted() {
            return (ceiling ? "<= " : ">= ") + number(must) + " " + unit;
        }

        private static String number(double value) {
            return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%,.0f", value);
        }
    }

    public Scorecard atLeast(String what, double value, String unit, double must) {
        return add(new Row(what, value, value, value, unit, must, false));
    }

    /** The median of several rounds, with their range. */
    public Scorecard atLeast(String what, double value, double least, double most, String unit, double must) {
        return add(new Row(what, value, least, most, unit, must, false));
    }

    public Scorecard atMost(String what, double value, String unit, double must) {
        return add(new Row(what, value, value, value, unit, must, true));
    }

    /** The median of several rounds, with their range; less is better. */
    public Scorecard atMost(String what, double value, double least, double most, String unit, double must) {
        return add(new Row(what, value, least, most, unit, must, true));
    }

    /** The ratio of a contender to the yardstick of a comparison. */
    public Scorecard ratio(String what, Comparison table, String contender, double must) {
        double[] ratios = table.ratios(contender);
        return add(new Row(
                what,
                table.ratio(contender),
                java.util.Arrays.stream(ratios).min().orElse(Double.NaN),
                java.util.Arrays.stream(ratios).max().orElse(Double.NaN),
                "x " + table.yardstick(),
                must,
                false));
    }

    private Scorecard add(Row row) {
        rows.add(row);
        System.out.println((row.reached() ? "reached: " : "NOT REACHED: ") + row.what() + ": " + row.measured()
                + " (must be " + row.wanted() + ")");
        return this;
    }

    /** Prints and keeps everything; the exit code: 1 where {@code --gate} is set and something was not reached. */
    public int finish() throws IOException {
        System.out.println("\n" + Machine.describe() + "\n" + setting + "\n");
        System.out.println("| " + name + " | measured | must | |\n| --- | --- | --- | --- |");
        for (Row row : rows) {
            System.out.println("| " + row.what() + " | " + row.measured() + " | " + row.wanted() + " | "
                    + (row.reached() ? "reached" : "**not reached**") + " |");
        }
        keep(Path.of("target", "bench"));
        if (flags.contains("--record")) {
            keep(Path.of("docs", "bench"));
        }
        boolean good = rows.stream().allMatch(Row::reached);
        return !good && flags.contains("--gate") ? 1 : 0;
    }

    private void keep(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve(name + ".json"), json());
        Path chart = Files.writeString(folder.resolve(name + ".svg"), new ScoreChart(name, rows).svg());
        System.out.println("kept: " + chart + " and its .json");
    }

    private String json() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("bench", name);
        all.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        all.put("machine", Machine.describe());
        all.put("setting", setting);
        all.put("flags", flags);
        List<Map<String, Object>> results = new ArrayList<>();
        for (Row row : rows) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("what", row.what());
            one.put("value", row.value());
            one.put("least", row.least());
            one.put("most", row.most());
            one.put("unit", row.unit());
            one.put(row.ceiling() ? "at_most" : "at_least", row.must());
            one.put("reached", row.reached());
            results.add(one);
        }
        all.put("results", results);
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
    }
}
