package dev.ron.admin.series;

import dev.ron.admin.series.Column.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;
import org.jspecify.annotations.Nullable;

/** The kept numbers of a node, within their caps, and the rule that says where a raw series goes. */
final class Columns {
    private static final List<String> RESULTS_THAT_FAIL = List.of("error", "err", "fail", "failure", "timeout", "5xx");
    static final String ERRORS = "errors";
    private static final int MAX_NAME = 96;

    private final SeriesLimits limits;
    private final Map<SeriesName, Column> scalars = new LinkedHashMap<>();
    private final Map<SeriesName, HistogramColumn> histograms = new LinkedHashMap<>();
    private long dropped;

    Columns(SeriesLimits limits) {
        this.limits = limits;
    }

    Map<SeriesName, Column> scalars() {
        return scalars;
    }

    Map<SeriesName, HistogramColumn> histograms() {
        return histograms;
    }

    /** Series that found no room. */
    long dropped() {
        return dropped;
    }

    /** Takes a series in and says where its numbers go. */
    Raw place(Scrape.Fresh series, Scrape scrape, long tick) {
        String name = series.name();
        Map<String, String> labels = series.labels();
        String histogram = histogramOf(name, labels, scrape);
        if (!histogram.isEmpty()) {
            return new Raw(series.series(), true, histogram(histogram, name, labels, tick));
        }
        if (name.endsWith("_created") || name.endsWith("_sum") || name.endsWith("_bucket")) {
            return new Raw(series.series(), false, null);
        }
        boolean counter = name.endsWith("_total")
                || name.endsWith("_count")
                || scrape.type(name).equals("counter");
        return new Raw(series.series(), counter, scalar(name, labels, counter ? Kind.COUNTER : Kind.GAUGE, tick));
    }

    /** The family of a histogram's line; empty for any other line. */
    private static String histogramOf(String name, Map<String, String> labels, Scrape scrape) {
        if (name.endsWith("_bucket") && labels.containsKey("le")) {
            return name.substring(0, name.length() - "_bucket".length());
        }
        if (name.endsWith("_count")) {
            String family = name.substring(0, name.length() - "_count".length());
            return scrape.type(family).equals("histogram") ? family : "";
        }
        return "";
    }

    private @Nullable ObjDoubleConsumer<Long> scalar(String name, Map<String, String> labels, Kind kind, long tick) {
        List<Column> to = new ArrayList<>();
        String facet = facet(name, labels);
        if (!facet.isEmpty()) {
            add(to, facetName(name, facet, labels), kind, tick);
        } else if (name.equals(Wanted.REQUESTS)) {
            String status = statusClass(labels.getOrDefault("status", ""));
            String service = shown(labels.getOrDefault("service", ""));
            String route = shown(labels.getOrDefault("route", ""));
            add(to, new SeriesName(name, List.of("service", "status"), List.of(service, status)), kind, tick);
            add(to, new SeriesName(name, List.of("service", "route"), List.of(service, route)), kind, tick);
            if (status.equals("5xx")) {
                add(to, new SeriesName(ERRORS, List.of("service", "route"), List.of(service, route)), kind, tick);
            }
        } else {
            add(to, name(name, labels), kind, tick);
        }
        if (to.isEmpty()) {
            return null;
        }
        if (to.size() == 1) {
            Column only = to.getFirst();
            return (now, value) -> only.add(value, now);
        }
        Column[] all = to.toArray(Column[]::new);
        return (now, value) -> {
            for (Column column : all) {
                column.add(value, now);
            }
        };
    }

    private void add(List<Column> to, SeriesName name, Kind kind, long tick) {
        Column known = scalars.get(name);
        if (known == null) {
            if (scalars.size() >= limits.maxSeries() || tooManyFacets(name)) {
                dropped++;
                return;
            }
            known = new Column(name, kind, limits.slots(), tick);
            scalars.put(name, known);
        }
        to.add(known);
    }

    private boolean tooManyFacets(SeriesName name) {
        String facet = name.value("facet");
        return !facet.isEmpty() && facets().size() >= limits.maxFacets() && !facets().contains(facet);
    }

    /** The names of all facets. */
    java.util.Set<String> facets() {
        java.util.Set<String> names = new java.util.TreeSet<>();
        scalars.keySet().forEach(name -> names.add(name.value("facet")));
        histograms.keySet().forEach(name -> names.add(name.value("facet")));
        names.remove("");
        return names;
    }

    private @Nullable ObjDoubleConsumer<Long> histogram(
            String family, String name, Map<String, String> labels, long tick) {
        List<HistogramColumn> to = new ArrayList<>();
        String facet = facet(family, labels);
        if (!facet.isEmpty()) {
            add(to, new SeriesName(family, List.of("facet"), List.of(facet)), tick);
        } else if (isLatency(family)) {
            String service = shown(labels.getOrDefault("service", ""));
            String route = shown(labels.getOrDefault("route", labels.getOrDefault("uri", "")));
            if (!Wanted.waits(route)) {
                add(to, new SeriesName(Wanted.LATENCY, List.of(), List.of()), tick);
                add(to, new SeriesName(Wanted.LATENCY, List.of("service"), List.of(service)), tick);
            }
            if (!route.isEmpty()) {
                add(to, new SeriesName(Wanted.LATENCY, List.of("service", "route"), List.of(service, route)), tick);
            }
        } else {
            add(to, new SeriesName(family, List.of(), List.of()), tick);
        }
        if (to.isEmpty()) {
            return null;
        }
        HistogramColumn[] all = to.toArray(HistogramColumn[]::new);
        if (name.endsWith("_count")) {
            return (now, value) -> {
                for (HistogramColumn column : all) {
                    column.addCount(value, now);
                }
            };
        }
        double bound = bound(labels.getOrDefault("le", ""));
        if (Double.isNaN(bound)) {
            return null;
        }
        int[] places = new int[all.length];
        for (int i = 0; i < all.length; i++) {
            places[i] = all[i].place(bound);
        }
        return (now, value) -> {
            for (int i = 0; i < all.length; i++) {
                if (places[i] >= 0) {
                    all[i].add(places[i], value, now);
                }
            }
        };
    }

    private static boolean isLatency(String family) {
        return family.equals(Wanted.LATENCY)
                || family.equals("http_request_duration_seconds")
                || family.equals("http_server_requests_seconds");
    }

    private static double bound(String le) {
        try {
            return switch (le) {
                case "+Inf", "Inf", "inf", "+inf" -> Double.POSITIVE_INFINITY;
                default -> Double.parseDouble(le);
            };
        } catch (NumberFormatException _) {
            return Double.NaN;
        }
    }

    private void add(List<HistogramColumn> to, SeriesName name, long tick) {
        HistogramColumn known = histograms.get(name);
        if (known == null) {
            if (histograms.size() >= limits.maxHistograms() || tooManyFacets(name)) {
                dropped++;
                return;
            }
            known = new HistogramColumn(name, limits.slots(), tick);
            histograms.put(name, known);
        }
        to.add(known);
    }

    /** The facet a series belongs to; empty where to none. */
    private static String facet(String name, Map<String, String> labels) {
        String label = labels.get("facet");
        if (label != null) {
            return shown(label);
        }
        if (!name.startsWith(Wanted.FACET)) {
            return "";
        }
        String rest = name.substring(Wanted.FACET.length());
        return shown(rest.endsWith("_total") ? rest.substring(0, rest.length() - "_total".length()) : rest);
    }

    private static SeriesName facetName(String name, String facet, Map<String, String> labels) {
        String result = labels.get("result");
        if (result == null) {
            return new SeriesName(name, List.of("facet"), List.of(facet));
        }
        String word = RESULTS_THAT_FAIL.contains(result) ? "error" : "ok";
        return new SeriesName(name, List.of("facet", "result"), List.of(facet, word));
    }

    /** A listed family keeps its labels; one that was taken by its prefix keeps the first two besides the service. */
    private static SeriesName name(String family, Map<String, String> labels) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        if (Wanted.isListed(family)) {
            for (String label : Wanted.kept(family)) {
                String value = labels.get(label);
                if (value != null) {
                    names.add(label);
                    values.add(shown(value));
                }
            }
        } else {
            labels.forEach((label, value) -> {
                if (!label.equals("service") && names.size() < 2) {
                    names.add(label);
                    values.add(shown(value));
                }
            });
        }
        return new SeriesName(family, List.copyOf(names), List.copyOf(values));
    }

    static String statusClass(String status) {
        boolean three = status.length() == 3 && status.charAt(0) >= '1' && status.charAt(0) <= '5';
        return three ? status.charAt(0) + "xx" : "other";
    }

    private static String shown(String text) {
        return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
    }

    /** Lets go of what had no value since a tick. */
    void sweep(long tick) {
        scalars.values().removeIf(column -> column.idleSince(tick));
        histograms.values().removeIf(column -> column.idleSince(tick));
    }

    long bytes() {
        long sum = 0;
        for (Column column : scalars.values()) {
            sum += column.bytes();
        }
        for (HistogramColumn column : histograms.values()) {
            sum += column.bytes();
        }
        return sum;
    }
}
