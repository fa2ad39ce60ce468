package dev.ron.admin.series;

import java.util.Arrays;

/** Requests and failures of a part of a node, step by step, and what they come to over the window. */
final class Traffic {
    private final NodeSeries ring;
    private final int[] order;
    private final double[] steps;
    private final double[] failures;

    Traffic(NodeSeries ring, int[] order) {
        this.ring = ring;
        this.order = order;
        this.steps = nan(order.length);
        this.failures = nan(order.length);
    }

    void add(Column column, boolean failure) {
        addSteps(column, steps);
        if (failure) {
            addSteps(column, failures);
        }
    }

    /** Failures of requests that are counted elsewhere. */
    void addFailures(Column column) {
        addSteps(column, failures);
    }

    private void addSteps(Column column, double[] to) {
        for (int i = 0; i < order.length; i++) {
            double more = Double.isNaN(ring.coveredSeconds(order[i])) ? Double.NaN : column.at(order[i]);
            to[i] = Double.isNaN(more) ? to[i] : Double.isNaN(to[i]) ? more : to[i] + more;
        }
    }

    private static double sum(double[] values) {
        double sum = Double.NaN;
        for (double value : values) {
            sum = Double.isNaN(value) ? sum : Double.isNaN(sum) ? value : sum + value;
        }
        return sum;
    }

    double rate() {
        double seconds = 0;
        for (int i = 0; i < steps.length; i++) {
            seconds += Double.isNaN(steps[i]) ? 0 : ring.coveredSeconds(order[i]);
        }
        return seconds > 0 ? sum(steps) / seconds : Double.NaN;
    }

    /** Without a request there is no share of failures, neither good nor bad. */
    double errorRate() {
        double requests = sum(steps);
        double bad = sum(failures);
        return requests > 0 ? (Double.isNaN(bad) ? 0 : bad / requests) : Double.NaN;
    }

    /** Requests per second in each of the newest steps. */
    double[] rates(int newest) {
        int from = Math.max(0, steps.length - newest);
        double[] rates = new double[steps.length - from];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = steps[from + i] / ring.coveredSeconds(order[from + i]);
        }
        return rates;
    }

    double[] errorRates() {
        double[] rates = new double[steps.length];
        for (int i = 0; i < rates.length; i++) {
            double failed = Double.isNaN(failures[i]) ? 0 : failures[i];
            rates[i] = steps[i] > 0 ? failed / steps[i] : Double.NaN;
        }
        return rates;
    }

    static double[] nan(int length) {
        double[] values = new double[length];
        Arrays.fill(values, Double.NaN);
        return values;
    }
}
