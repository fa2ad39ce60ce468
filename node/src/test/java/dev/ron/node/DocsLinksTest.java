package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A link of a page within this project leads somewhere. */
final class DocsLinksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]+Test)[`#.]");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

    @Test
    void everyLinkWithinTheProjectLeadsSomewhere() throws IOException {
        List<String> stale = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(page)).results().toList()) {
                String target = link.group(1);
                boolean elsewhere = target.contains("://") || target.startsWith("mailto:");
                if (!elsewhere && !Files.exists(page.resolveSibling(target).normalize())) {
                    stale.add(ROOT.relativize(page) + " -> " + target);
                }
            }
        }
        assertThat(stale).isEmpty();
    }

    @Test
    void everyTestThatAPageNamesIsThere() throws IOException {
        Set<String> tests = new HashSet<>();
        for (String kind : List.of("test", "main")) {
            try (Stream<Path> modules = Files.list(ROOT)) {
                for (Path module : modules.filter(path -> Files.isDirectory(path.resolve("src/" + kind + "/java")))
                        .toList()) {
                    try (Stream<Path> files = Files.walk(module.resolve("src/" + kind + "/java"))) {
                        files.forEach(
                                file -> tests.add(file.getFileName().toString().replaceFirst("\\.java$", "")));
                    }
                }
            }
        }
        List<String> missing = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult name :
                    TEST.matcher(Files.readString(page)).results().toList()) {
                if (!tests.contains(name.group(1))) {
                    missing.add(ROOT.relativize(page) + " names " + name.group(1));
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** What the walk promises: each of its stories in at most a dozen steps, each step with a link into the code. */
    @Test
    void theWalkTakesAtMostADozenStepsEach() throws IOException {
        List<String> stories =
                List.of(Files.readString(ROOT.resolve("docs/design/walk.md")).split("(?m)^## ", -1));
        assertThat(stories).hasSize(5);
        for (String story : stories.subList(1, stories.size())) {
            List<String> steps =
                    story.lines().filter(line -> line.matches("[0-9]+\\. .*")).toList();
            assertThat(steps).as(story).hasSizeBetween(2, 12);
            assertThat(steps.stream().filter(step -> LINK.matcher(step).find()))
                    .as(story)
                    .hasSizeGreaterThan(3);
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(
                List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"), ROOT.resolve("SECURITY.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }
}
