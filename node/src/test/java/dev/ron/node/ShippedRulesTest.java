package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts and the dashboard that are shipped ask for metrics that a node has. */
final class ShippedRulesTest {
    private static final Pattern EXPRESSION = Pattern.compile("\"?expr\"?: *\"?(.+)");
    private static final Pattern NAME = Pattern.compile("\\b[a-z]+(?:_[a-z0-9]+)+\\b(?!\\()");
    private static final Set<String> WORDS = Set.of("histogram_quantile");

    @TempDir
    Path folder;

    @Test
    void everyMetricOfTheRulesAndTheDashboardExists() throws IOException {
        Set<String> asked = new TreeSet<>(names("prometheus-rules.yaml"));
        asked.addAll(names("grafana-dashboard.json"));
        assertThat(asked).hasSizeGreaterThan(20);
        try (NodeProcess node = NodeProcess.up(folder)) {
            // A tenant has its series a moment after it has sent something.
            String token = node.demoToken();
            Eventually.await(() -> node.get("gateway", "/demo/echo", token).startsWith("HTTP/1.1 200"));
            Eventually.await("every metric, of " + asked, () -> metrics(node).containsAll(asked));
        }
    }

    private static Set<String> metrics(NodeProcess node) {
        return node.get("ops", "/metrics")
                .lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1)[2])
                .collect(Collectors.toSet());
    }

    private static Set<String> names(String file) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : Files.readAllLines(Path.of("../packaging", file))) {
            Matcher expression = EXPRESSION.matcher(line);
            if (expression.find()) {
                NAME.matcher(expression.group(1))
                        .results()
                        .map(found -> found.group().replaceFirst("_bucket$", ""))
                        .filter(name -> !WORDS.contains(name))
                        .forEach(names::add);
            }
        }
        return names;
    }
}
