package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.kernel.testkit.GoldenFile;
import dev.ron.kernel.time.Clock;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Pages of docs/reference that a running node is held against: its routes, its metrics. */
@Timeout(120)
final class LiveReferenceTest {
    private static final Path DOCUMENTS = Path.of("../docs/reference/openapi");

    /** Routes that are there only with {@code edge.packs_dir}. */
    private static final List<String> IF_CONFIGURED = List.of("GET /edge/styles/{rest}", "GET /edge/sprites/{rest}");

    /** A family's name in the code, with its text and its labels where they follow. */
    private static final Pattern NAMED = Pattern.compile(
            "\\b(count|counter|gauge|histogram|timing)(?:s|sBy)?\\((?:\\s*metrics,)?\\s*\"([a-z0-9]+(?:_[a-z0-9]+)+)\""
                    + "(?:,\\s*\"([A-Z0-9][^\"]*)\")?((?:,\\s*(?:List\\.of\\()?\"[a-z_]+\"\\)?)*)");

    /** The texts of families that are counted by name only. */
    private static final Pattern HELP = Pattern.compile("Map\\.entry\\(\\s*\"([a-z0-9_]+)\",\\s*\"([A-Z0-9][^\"]*)\"");

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
    private static final Set<String> EVERYWHERE = Set.of("service", "le", "quantile");

    private static Node node;

    @BeforeAll
    static void start() throws Exception {
        Sources sources = Sources.none()
                .withFlag("test", "node.profile", "micro")
                .withFlag("test", "node.port_base", "0")
                .withFlag("test", "node.log.level", "error");
        if (!(ConfigLoader.load(NodeSections.ALL, sources) instanceof ConfigResult.Loaded(Config config))) {
            throw new IllegalStateException("the defaults do not load");
        }
        Logs logs = Logs.install(LogFormat.TEXT, "error", System.err);
        node = Node.start(config, () -> ConfigLoader.load(NodeSections.ALL, sources), true, Clock.system(), logs);
    }

    @AfterAll
    static void stop() throws IOException {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"passport", "registry", "edge", "gateway", "admin", "ops"})
    void everyRouteIsDocumentedAndEveryDocumentedRouteIsThere(String listener) throws IOException {
        JsonNode document = new StrictJson().tree(Files.readAllBytes(DOCUMENTS.resolve(listener + ".json")));
        assertThat(document.path("openapi").asString("")).isEqualTo("3.1.0");
        TreeSet<String> documented = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                documented.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                assertThat(operation.getValue().path("summary").asString(""))
                        .as(path.getKey())
                        .isNotEmpty();
                assertThat(operation.getValue().path("responses").size())
                        .as(path.getKey())
                        .isPositive();
                references(operation.getValue(), document);
            }
        }
        SortedSet<String> there = routes(listener);
        documented.removeIf(route -> IF_CONFIGURED.contains(route) && !there.contains(route));
        assertThat(documented).isEqualTo(there);
    }

    /** A template's rest, {@code **}, is the parameter {@code rest} in a document; HEAD goes without saying. */
    private static SortedSet<String> routes(String listener) {
        TreeSet<String> routes = new TreeSet<>();
        for (String route : node.routes().getOrDefault(listener, List.of())) {
            // what the gateway passes on is not its own, and the console's pages are no API
            boolean anywhere = route.endsWith(" /**") || (route.equals("GET /") && listener.equals("admin"));
            if (!anywhere && !route.startsWith("HEAD ") && !route.startsWith("OPTIONS ")) {
                routes.add(route.replace("**", "{rest}"));
            }
        }
        return routes;
    }

    /**
     * Some families show only once they were needed, so the code's own words count as well as what a node shows now. What the
     * page says of a family stays until the page is written anew.
     */
    @Test
    @Tag("golden")
    void everyMetricIsInTheReference() throws Exception {
        Path page = Path.of("../docs/reference/metrics.md");
        boolean write = "write".equals(System.getProperty("ron.golden"));
        TreeMap<String, Row> rows = new TreeMap<>();
        if (Files.exists(page)) {
            Files.readString(page)
                    .lines()
                    .filter(line -> line.startsWith("| `"))
                    .map(Row::read)
                    .filter(row -> !write || row.isExplained())
                    .forEach(row -> rows.put(row.name(), row));
        }
        String source = source();
        rows.keySet().removeIf(name -> !isNamedIn(source, name));
        Map<String, String> texts = HELP.matcher(source)
                .results()
                .collect(Collectors.toMap(text -> text.group(1), text -> text.group(2), (one, other) -> one));
        NAMED.matcher(source).results().forEach(named -> rows.putIfAbsent(named.group(2), Row.of(named, texts)));
        live().forEach((name, row) -> rows.merge(name, row, (before, now) -> write ? now : before));
        assertThat(rows.values()).allMatch(Row::isExplained);
        GoldenFile.of("reference/metrics.md")
                .matches(
                        "# Metrics\n\nGenerated from code and from a running node; `./ron docs` writes it anew. Every family also has"
                                + " the label `service`.\n\n| family | type | labels | what |\n| --- | --- | --- | --- |\n"
                                + rows.values().stream().map(Row::line).collect(Collectors.joining("\n")) + "\n");
    }

    /** What the page says of a family; its labels in words. */
    private record Row(String name, String type, String labels, String what) {
        static Row read(String line) {
            String[] cells = line.split("\\|", -1);
            return new Row(cells[1].strip().replace("`", ""), cells[2].strip(), cells[3].strip(), cells[4].strip());
        }

        static Row of(MatchResult named, Map<String, String> texts) {
            String what = named.group(3) == null ? texts.getOrDefault(named.group(2), "") : named.group(3);
            String type = switch (named.group(1)) {
                case "count" -> "counter";
                case "timing" -> "histogram";
                default -> named.group(1);
            };
            // Where no text stands before them, a label is followed by its value.
            Stream<String> labels = Pattern.compile("[a-z_]{2,}")
                    .matcher(named.group(4).replace("List.of", ""))
                    .results()
                    .map(MatchResult::group)
                    .limit(named.group(3) == null ? 1 : Long.MAX_VALUE);
            return new Row(named.group(2), type, words(labels.collect(Collectors.toCollection(TreeSet::new))), what);
        }

        static String words(SortedSet<String> labels) {
            return labels.stream().map(label -> '`' + label + '`').collect(Collectors.joining(", "));
        }

        /** With a text that says more than the name. */
        boolean isExplained() {
            return !what.isEmpty() && !what.equals(name.replace('_', ' '));
        }

        String line() {
            return "| `" + name + "` | " + type + " | " + labels + " | " + what + " |";
        }
    }

    /** The code says a family's name without what the format adds to it. */
    private static boolean isNamedIn(String source, String family) {
        return source.contains('"' + family + '"') || source.contains('"' + family.replaceFirst("_total$", "") + '"');
    }

    private static SortedMap<String, Row> live() throws Exception {
        TreeMap<String, String> types = new TreeMap<>();
        TreeMap<String, String> texts = new TreeMap<>();
        TreeMap<String, SortedSet<String>> labels = new TreeMap<>();
        String scraped;
        try (InputStream in = URI.create("http://127.0.0.1:" + node.ports().get("ops") + "/metrics")
                .toURL()
                .openStream()) {
            scraped = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String family = "";
        for (String line : scraped.lines().toList()) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                family = words[2];
                texts.put(family, words.length > 3 ? words[3] : "");
            } else if (line.startsWith("# TYPE ")) {
                types.put(words[2], words[3]);
            } else {
                SortedSet<String> found = labels.computeIfAbsent(family, _ -> new TreeSet<>());
                LABEL.matcher(line).results().forEach(label -> found.add(label.group(1)));
                found.removeAll(EVERYWHERE);
            }
        }
        TreeMap<String, Row> rows = new TreeMap<>();
        texts.forEach((name, what) -> rows.put(
                name,
                new Row(
                        name,
                        types.getOrDefault(name, ""),
                        Row.words(labels.getOrDefault(name, new TreeSet<>())),
                        what)));
        assertThat(rows).hasSizeGreaterThan(50);
        return rows;
    }

    private static String source() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String module : List.of(
                "kernel", "http", "service", "token", "gateway", "edge", "passport", "registry", "admin", "node")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    all.append(Files.readString(file));
                }
            }
        }
        return all.toString();
    }

    private static void references(JsonNode part, JsonNode document) {
        if (part.has("$ref")) {
            String pointer = part.path("$ref").asString("").substring(1);
            assertThat(document.at(pointer).isMissingNode()).as(pointer).isFalse();
        }
        part.forEach(child -> references(child, document));
    }
}
