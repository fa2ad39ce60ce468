package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a page shows of a {@code ron.toml} is one that a node takes. */
final class DocsConfigTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```toml\\n(.*?)^```$");
    private static final Pattern SECRET = Pattern.compile("_file = \"(?:/etc/ron/)?([^/\"]+)\"");

    @TempDir
    Path folder;

    @Test
    void everyConfigurationThatAPageShowsLoads() throws IOException {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Path page : pages()) {
            for (MatchResult block :
                    BLOCK.matcher(Files.readString(page)).results().toList()) {
                seen++;
                if (load(block.group(1)) instanceof ConfigResult.Rejected rejected) {
                    wrong.add(ROOT.relativize(page) + ":\n" + block.group(1) + rejected.text());
                }
            }
        }
        assertThat(seen).isGreaterThan(7);
        assertThat(wrong).isEmpty();
    }

    /** With the reader's own files in a folder that is here. */
    private ConfigResult load(String toml) throws IOException {
        for (MatchResult secret : SECRET.matcher(toml).results().toList()) {
            Path file = folder.resolve(secret.group(1));
            Files.writeString(file, "something secret\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        Path file = folder.resolve("ron.toml");
        String here = SECRET.matcher(toml).replaceAll("_file = \"" + folder + "/$1\"");
        Files.writeString(file, here.replace("/etc/ron/", folder + "/"));
        return ConfigLoader.load(NodeSections.ALL, Sources.none().withFile(file));
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            docs.filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }
}
