package dev.ron.service.metrics;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * All metrics of one process.
 *
 * <p>Services of the same process share a family and differ in its first label, {@code service}. A family has one kind
 * and one list of labels for the life of the process; a second declaration that differs is a bug and is refused.
 */
public final class Metrics {
    /** One set of buckets for all latencies; it contains every boundary that a service promises. */
    static final double[] BUCKETS = {0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.12, 0.2, 0.32, 0.5, 1, 2.5, 5, 10};

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Map<String, Family> families = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger(16 << 10);

    private record Family(String name, Class<?> kind, List<String> labels, Collector collector) {}

    /** A page of samples and its media type. */
    public static final class Page {
        private final String contentType;
        private final byte[] body;

        Page(String contentType, byte[] body) {
            this.contentType = contentType;
            this.body = body;
        }

        public String contentType() {
            return contentType;
        }

        public byte[] body() {
            return body;
        }
    }

    /** The metrics of one service under the plain family names. */
    public ServiceMetrics service(String name) {
        return service(name, "");
    }

    /** The metrics of a service whose seed puts a prefix before every name. */
    public ServiceMetrics service(String name, String prefix) {
        return new ServiceMetrics(this, name, prefix);
    }

    Counter counter(String name, String help, List<String> labels) {
        return family(
                name,
                Counter.class,
                labels,
                () -> Counter.builder()
                        .name(name)
                        .help(help)
                        .labelNames(labels.toArray(String[]::new))
                        .withoutExemplars()
                        .build());
    }

    Durations durations(String name, String help, List<String> labels) {
        return family(name, Durations.class, labels, () -> new Durations(name, help, labels, BUCKETS));
    }

    Pulled pulled(Pulled.Kind kind, String name, String help, List<String> labels) {
        Pulled pulled = family(name, Pulled.class, labels, () -> new Pulled(kind, name, help, labels));
        if (pulled.kind() != kind) {
            throw new IllegalStateException(name + " is declared as both gauge and counter");
        }
        return pulled;
    }

    private <C extends Collector> C family(String name, Class<C> kind, List<String> labels, Supplier<C> maker) {
        Family family = families.computeIfAbsent(name, n -> {
            C collector = maker.get();
            registry.register(collector);
            return new Family(n, kind, List.copyOf(labels), collector);
        });
        if (family.kind() != kind || !family.labels().equals(labels)) {
            throw new IllegalStateException("metric " + name + " is declared as "
                    + family.kind().getSimpleName() + family.labels() + " and as " + kind.getSimpleName() + labels);
        }
        return kind.cast(family.collector());
    }

    /** The names of all families, as declared. */
    public List<String> names() {
        return families.keySet().stream().sorted().toList();
    }

    /** Everything there is to know now, in the format the {@code Accept} header asks for. */
    public Page scrape(String accept) {
        ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
        ExpositionFormatWriter writer = openMetrics.accepts(accept) ? openMetrics : PrometheusTextFormatWriter.create();
        ByteArrayOutputStream out = new ByteArrayOutputStream(size.get());
        try {
            writer.write(out, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        size.set(out.size() + 1024);
        return new Page(writer.getContentType(), out.toByteArray());
    }
}
