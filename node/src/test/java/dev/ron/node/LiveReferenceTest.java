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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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

    private static final Pattern NAMED = Pattern.compile(
            "\\b(count|counter|gauge|histogram)s?\\((?:\\s*metrics,)?\\s*\"([a-z0-9]+(?:_[a-z0-9]+)+)\"(?:,\\s*\"([A-Z][^\"]*)\")?");

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
        TreeMap<String, String> rows = new TreeMap<>();
        if (Files.exists(page)) {
            Files.readString(page)
                    .lines()
                    .filter(line -> line.startsWith("| `"))
                    .forEach(line -> rows.put(line.split("`", 3)[1], line));
        }
        String source = source();
        rows.keySet().removeIf(name -> !isNamedIn(source, name));
        NAMED.matcher(source).results().forEach(named -> rows.putIfAbsent(named.group(2), row(named)));
        live().forEach((name, row) -> rows.merge(name, row, (before, now) -> write ? now : before));
        GoldenFile.of("reference/metrics.md")
                .matches(
                        "# Metrics\n\nGenerated from code and from a running node; `./ron docs` writes it anew. Every family also has"
                                + " the label `service`.\n\n| family | type | what |\n| --- | --- | --- |\n"
                                + String.join("\n", rows.values()) + "\n");
    }

    private static String row(MatchResult named) {
        String help = named.group(3) == null ? "" : named.group(3);
        String type = named.group(1).equals("count") ? "counter" : named.group(1);
        return "| `" + named.group(2) + "` | " + type + " | " + help + " |";
    }

    /** The code says a family's name without what the format adds to it. */
    private static boolean isNamedIn(String source, String family) {
        return source.contains('"' + family + '"') || source.contains('"' + family.replaceFirst("_total$", "") + '"');
    }

    private static SortedMap<String, String> live() throws Exception {
        TreeMap<String, String> types = new TreeMap<>();
        TreeMap<String, String> rows = new TreeMap<>();
        String scraped;
        try (InputStream in = URI.create("http://127.0.0.1:" + node.ports().get("ops") + "/metrics")
                .toURL()
                .openStream()) {
            scraped = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        scraped.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .forEach(line -> types.put(line.split(" ", -1)[2], line.split(" ", -1)[3]));
        scraped.lines().filter(line -> line.startsWith("# HELP ")).forEach(line -> {
            String[] words = line.split(" ", 4);
            rows.put(
                    words[2],
                    "| `" + words[2] + "` | " + types.getOrDefault(words[2], "") + " | "
                            + (words.length > 3 ? words[3] : "") + " |");
        });
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
