package dev.ron.admin.expose;

import java.util.LinkedHashMap;
import java.util.Map;

/** Takes every sample and keeps the last value of each series, by its name and labels. */
final class Collected implements SampleSink {
    final Map<String, Double> samples = new LinkedHashMap<>();
    final Map<String, String> types = new LinkedHashMap<>();

    @Override
    public boolean wants(byte[] text, int from, int to, int lineEnd) {
        return true;
    }

    @Override
    public boolean known(long series, double value) {
        return false;
    }

    @Override
    public void sample(long series, String name, Labels labels, double value) {
        samples.put(name + labels.toMap(), value);
    }

    @Override
    public void type(String family, String type) {
        types.put(family, type);
    }
}
