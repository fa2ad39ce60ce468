package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts and the dashboard that are shipped ask for metrics, and for labels of them, that a node has. */
final class ShippedRulesTest {
    private static final Pattern EXPRESSION = Pattern.compile("\"?expr\"?: *\"?(.+)");
    private static final Pattern NAME = Pattern.compile("\\b[a-z]+(?:_[a-z0-9]+)+\\b(?!\\()");
    private static final Set<String> WORDS = Set.of("histogram_quantile");

    private static final Pattern GROUPED = Pattern.compile("\\bby \\(([a-z_, ]+)\\)");
    private static final Pattern MATCHED = Pattern.compile("[{,]\\s*([a-z_]+)\\s*(?:=|!=|=~|!~)");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{ *\\$labels\\.([a-z_]+) *}}");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z0-9_]+)\\{(.*)} [0-9NI+-]");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    /** What Prometheus adds to everything that it scrapes. */
    private static final Set<String> OF_SCRAPES = Set.of("instance", "job");

    @TempDir
    Path folder;

    @Test
    void everyMetricAndLabelOfTheRulesAndTheDashboardExists() throws IOException {
        Map<String, Set<String>> asked = new TreeMap<>(asked("prometheus-rules.yaml"));
        asked("grafana-dashboard.json").forEach((name, labels) -> asked.merge(name, labels, ShippedRulesTest::union));
        assertThat(asked).hasSizeGreaterThan(20);
        assertThat(asked.values().stream().mapToInt(Set::size).sum()).isGreaterThan(15);
        try (NodeProcess node = NodeProcess.up(folder)) {
            // A tenant has its series a moment after it has sent something.
            String token = node.demoToken();
            Eventually.await(() -> node.get("gateway", "/demo/echo", token).startsWith("HTTP/1.1 200"));
            node.get("edge", "/edge/tiles/world/0/0/0.mvt");
            try {
                Eventually.await(
                        "every metric with its labels",
                        () -> missing(node, asked).isEmpty());
            } catch (AssertionError e) {
                throw new AssertionError("not there: " + missing(node, asked), e);
            }
        }
    }

    /** A rule over the series of a node that has ended finds none, and stays silent. */
    @Test
    void aNodeThatIsGoneIsAnAlertUnderTheNameByWhichThePagesHaveItScraped() throws IOException {
        assertThat(Files.readString(Path.of("../packaging/prometheus-rules.yaml")))
                .contains("expr: up{job=\"ron\"} == 0 or absent(up{job=\"ron\"})");
        assertThat(Files.readString(Path.of("../docs/guides/operate.md"))).contains("as job `ron`", "job_name: ron");
    }

    /** What was asked for and is not there: a series, or a label of it. */
    private static Map<String, Set<String>> missing(NodeProcess node, Map<String, Set<String>> asked) {
        Map<String, Set<String>> there = new TreeMap<>();
        SAMPLE.matcher(node.get("ops", "/metrics")).results().forEach(sample -> {
            Set<String> labels = LABEL.matcher(sample.group(2))
                    .results()
                    .map(label -> label.group(1))
                    .collect(Collectors.toSet());
            there.merge(sample.group(1), labels, ShippedRulesTest::union);
        });
        Map<String, Set<String>> missing = new TreeMap<>();
        asked.forEach((name, labels) -> {
            Set<String> left = new TreeSet<>(labels);
            left.removeAll(there.getOrDefault(name, Set.of()));
            if (!there.containsKey(name) || !left.isEmpty()) {
                missing.put(name, left);
            }
        });
        return missing;
    }

    /** Each series that a file asks for, with the labels by which it is chosen, grouped or spoken of. */
    private static Map<String, Set<String>> asked(String file) throws IOException {
        Map<String, Set<String>> asked = new TreeMap<>();
        Set<String> current = Set.of();
        for (String line : Files.readAllLines(Path.of("../packaging", file))) {
            Matcher expression = EXPRESSION.matcher(line);
            Set<String> labels = new TreeSet<>();
            if (expression.find()) {
                String text = expression.group(1);
                GROUPED.matcher(text)
                        .results()
                        .forEach(by -> labels.addAll(List.of(by.group(1).split(", *", -1))));
                MATCHED.matcher(text).results().forEach(chosen -> labels.add(chosen.group(1)));
                current = NAME.matcher(GROUPED.matcher(text).replaceAll(""))
                        .results()
                        .map(MatchResult::group)
                        .filter(name -> !WORDS.contains(name))
                        .collect(Collectors.toSet());
            }
            SHOWN.matcher(line).results().forEach(shown -> labels.add(shown.group(1)));
            labels.removeAll(OF_SCRAPES);
            current.forEach(name -> asked.merge(name, labels, ShippedRulesTest::union));
        }
        return asked;
    }

    private static Set<String> union(Set<String> some, Set<String> more) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(more);
        return all;
    }
}
