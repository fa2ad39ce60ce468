package dev.ron.admin.series;

import dev.ron.admin.expose.ExpositionParser;
import dev.ron.admin.expose.Labels;
import dev.ron.admin.expose.ParseReport;
import dev.ron.admin.expose.SampleSink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The samples of one attempt to scrape a node.
 *
 * <p>It is filled on the loop of the connection and read by the sampler once the call is over. An attempt that is given
 * up goes on filling its own scrape and nothing else.
 */
public final class Scrape implements SampleSink {
    private static final int MAX_TYPES = 5_000;

    private final SeriesIndex index;
    private final ExpositionParser parser = new ExpositionParser(this);
    private final Map<String, String> types = new HashMap<>();
    private final List<Fresh> fresh = new ArrayList<>();
    private Raw[] raws = new Raw[256];
    private double[] values = new double[256];
    private int size;
    private long unnamed;

    /** A series that is not known yet. */
    record Fresh(long series, String name, Map<String, String> labels, double value) {}

    Scrape(SeriesIndex index) {
        this.index = index;
    }

    /** A piece of the body. */
    public void feed(ByteBuffer piece) {
        parser.feed(piece);
    }

    /** The body is over. */
    public ParseReport finish() {
        return parser.finish();
    }

    @Override
    public boolean wants(byte[] text, int from, int to, int lineEnd) {
        return Wanted.wants(text, from, to, lineEnd);
    }

    @Override
    public boolean known(long series, double value) {
        Raw raw = index.find(series);
        if (raw == null) {
            return false;
        }
        if (size == raws.length) {
            raws = Arrays.copyOf(raws, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        raws[size] = raw;
        values[size++] = value;
        return true;
    }

    @Override
    public void sample(long series, String name, Labels labels, double value) {
        if (fresh.size() < SeriesLimits.MAX_RAW) {
            fresh.add(new Fresh(series, name, labels.toMap(), value));
        } else {
            unnamed++;
        }
    }

    @Override
    public void type(String family, String type) {
        if (types.size() < MAX_TYPES) {
            types.put(family, type);
        }
    }

    int size() {
        return size;
    }

    Raw raw(int i) {
        return raws[i];
    }

    double value(int i) {
        return values[i];
    }

    List<Fresh> fresh() {
        return fresh;
    }

    /** Series beyond the cap. */
    long unnamed() {
        return unnamed;
    }

    String type(String family) {
        return types.getOrDefault(family, "");
    }
}
