package dev.ron.bench.side;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.DoubleStream;

/**
 * Contenders under the same load in interleaved rounds (A B C A B C ...); the first is the yardstick.
 *
 * <p>A ratio is taken within a round, so that what slows the machine for a while slows both sides of it. A round during
 * which other processes took more than a tenth of a core is run again; it is never chosen by its result.
 */
public final class Comparison {
    private static final double TOLERATED = 0.10;
    private static final int MAX_REPEATS = 12;
    private static final int BETWEEN_MILLIS = 100;

    private final String title;
    private final Load load;
    private final Map<String, Contender> contenders = new LinkedHashMap<>();
    private final Map<String, List<Load.Result>> results = new LinkedHashMap<>();
    private final PrintStream out;
    private int repeated;
    private int disturbed;

    /** Who is asked, and by what. */
    private record Contender(String url, Load load) {}

    public Comparison(String title, Load load, PrintStream out) {
        this.title = title;
        this.load = load;
        this.out = out;
    }

    public Comparison add(String contender, String url) {
        return add(contender, url, load);
    }

    /** One that is asked by a load of its own, for each has other tags. */
    public Comparison add(String contender, String url, Load own) {
        contenders.put(contender, new Contender(url, own));
        results.put(contender, new ArrayList<>());
        return this;
    }

    /** Warms every contender with the same load, then runs the rounds. */
    public Comparison run(int warmSeconds, int rounds) throws IOException, InterruptedException {
        for (Contender one : contenders.values()) {
            one.load().lasting(warmSeconds).run(one.url());
        }
        for (int round = 1; round <= rounds; round++) {
            round(round).forEach((name, result) -> runs(name).add(result));
        }
        return this;
    }

    private Map<String, Load.Result> round(int number) throws IOException, InterruptedException {
        while (true) {
            long busy = Machine.busyTicks();
            long own = Machine.ownTicks();
            long start = System.nanoTime();
            Map<String, Load.Result> one = new LinkedHashMap<>();
            for (Map.Entry<String, Contender> contender : contenders.entrySet()) {
                Thread.sleep(BETWEEN_MILLIS); // the one before closes its connections meanwhile
                one.put(
                        contender.getKey(),
                        contender.getValue().load().run(contender.getValue().url()));
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double others = Machine.others(Machine.busyTicks() - busy, Machine.ownTicks() - own, seconds);
            out.printf(Locale.ROOT, "round %d: %s (others took %.2f of a core)%n", number, rates(one), others);
            boolean comparable = Objects.requireNonNull(one.get(yardstick())).perSecond() > 0;
            if (others <= TOLERATED && comparable) {
                return one;
            }
            if (repeated >= MAX_REPEATS) {
                disturbed++;
                return one;
            }
            repeated++;
            out.println(
                    "  ... " + (comparable ? "too much" : yardstick() + " gave nothing") + "; this round is run again");
        }
    }

    private static String rates(Map<String, Load.Result> one) {
        List<String> parts = new ArrayList<>();
        one.forEach((name, result) -> parts.add(String.format(Locale.ROOT, "%s %.0f/s", name, result.perSecond())));
        return String.join(", ", parts);
    }

    /** Median of the ratios to the yardstick, round by round. */
    public double ratio(String contender) {
        return median(ratios(contender));
    }

    /** What the others are measured by. */
    public String yardstick() {
        return contenders.keySet().iterator().next();
    }

    double[] ratios(String contender) {
        List<Load.Result> yardstick = results.values().iterator().next();
        List<Load.Result> own = runs(contender);
        double[] ratios = new double[own.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = own.get(i).perSecond() / yardstick.get(i).perSecond();
        }
        return ratios;
    }

    private List<Load.Result> runs(String contender) {
        List<Load.Result> own = results.get(contender);
        if (own == null) {
            throw new IllegalArgumentException(contender + " does not take part");
        }
        return own;
    }

    static double median(double[] values) {
        double[] sorted = DoubleStream.of(values).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The median rate of one contender. */
    public double rate(String name) {
        return median(runs(name).stream().mapToDouble(Load.Result::perSecond).toArray());
    }

    /** The median of a contender's 99th percentiles. */
    public double p99(String name) {
        return median(runs(name).stream().mapToDouble(Load.Result::p99Millis).toArray());
    }

    /** The table as Markdown. */
    public String table() {
        StringBuilder table = new StringBuilder("| ").append(title);
        table.append(" | requests/s (median) | ratio (median, min-max) | p99 ms | errors | load idle |\n");
        table.append("| --- | --- | --- | --- | --- | --- |\n");
        results.forEach((name, runs) -> {
            double[] ratios = ratios(name);
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.2f (%.2f-%.2f) | %.2f | %d | %s |%n",
                    name,
                    median(runs.stream().mapToDouble(Load.Result::perSecond).toArray()),
                    median(ratios),
                    DoubleStream.of(ratios).min().orElse(Double.NaN),
                    DoubleStream.of(ratios).max().orElse(Double.NaN),
                    median(runs.stream().mapToDouble(Load.Result::p99Millis).toArray()),
                    runs.stream().mapToLong(Load.Result::errors).sum(),
                    idle(runs)));
        });
        return table.append("\nrounds run again because others were busy: ")
                .append(repeated)
                .append(disturbed > 0 ? ", kept all the same: " + disturbed : "")
                .append('\n')
                .toString();
    }

    /** What a load that was never idle measures is itself. */
    private static String idle(List<Load.Result> runs) {
        double share = median(runs.stream().mapToDouble(Load.Result::idle).toArray());
        return Double.isNaN(share) ? "not known" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }
}
