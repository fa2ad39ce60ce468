package dev.ron.admin.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** The built pages under {@code ui/dist}; needs no Node. */
class BuiltPagesTest {
    private static final Path UI = Path.of("ui");
    private static final Path DIST = UI.resolve("dist");
    private static final int KIB = 1024;

    @Test
    void theBuiltPagesAreThoseOfTheSources() throws Exception {
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        for (Path file : sources()) {
            hash.update(file.toString().getBytes(StandardCharsets.UTF_8));
            hash.update((byte) 0);
            hash.update(Files.readAllBytes(UI.resolve(file)));
            hash.update((byte) 0);
        }
        assertThat(Files.readString(DIST.resolve("BUILD")).strip())
                .as("the pages are older than their sources: cd admin/ui && npm ci --ignore-scripts && npm run build")
                .isEqualTo(HexFormat.of().formatHex(hash.digest()));
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> under = Files.walk(UI.resolve("src"))) {
            return Stream.concat(
                            under.filter(Files::isRegularFile).map(UI::relativize),
                            Stream.of("index.html", "vite.config.ts", "package-lock.json")
                                    .map(Path::of))
                    // The types have no part in what is built; they are generated from the records.
                    .filter(file -> !file.endsWith("api/types.ts"))
                    .sorted((a, b) -> a.toString().compareTo(b.toString()))
                    .toList();
        }
    }

    @Test
    void everyListedFileIsThereWithItsCompressedTwin() throws IOException {
        List<String> listed = Files.readAllLines(DIST.resolve("FILES"));
        assertThat(listed).contains("index.html").allSatisfy(file -> {
            assertThat(DIST.resolve(file)).exists();
            assertThat(DIST.resolve(file + ".gz")).exists();
        });
        try (Stream<Path> under = Files.walk(DIST)) {
            assertThat(under.filter(Files::isRegularFile)
                            .map(file -> DIST.relativize(file).toString())
                            .filter(file -> !file.endsWith(".gz")))
                    .containsExactlyInAnyOrderElementsOf(Stream.concat(listed.stream(), Stream.of("BUILD", "FILES"))
                            .toList());
        }
    }

    @Test
    void theFirstScriptsFitInSixtyKibibytes() throws IOException {
        List<String> first = matches(index(), "(?:src|href)=\"/(assets/[^\"]+\\.js)\"");
        assertThat(first).isNotEmpty();
        assertThat(gzipped(first)).as("first scripts: %s", first).isLessThanOrEqualTo(60 * KIB);
    }

    @Test
    void allScriptsStylesAndWordsFitTheirBudget() throws IOException {
        List<String> all = Files.readAllLines(DIST.resolve("FILES"));
        assertThat(gzipped(all.stream().filter(file -> file.endsWith(".js")).toList()))
                .isLessThanOrEqualTo(120 * KIB);
        assertThat(gzipped(all.stream().filter(file -> file.endsWith(".css")).toList()))
                .isLessThanOrEqualTo(16 * KIB);
        assertThat(gzipped(all.stream()
                        .filter(file -> file.startsWith("assets/es-"))
                        .toList()))
                .isBetween(1, 8 * KIB);
    }

    /** The policy forbids them; a page with one would show nothing. */
    @Test
    void thePageHasNoInlineScriptOrStyleAndNamesNoOtherPlace() throws IOException {
        String index = index();
        assertThat(index).doesNotContain("<style").doesNotContain("style=").doesNotContain("://");
        assertThat(Pattern.compile("<script(?![^>]* src=)").matcher(index).find())
                .isFalse();
        assertThat(Pattern.compile(" on[a-z]+=").matcher(index).find()).isFalse();
    }

    /** Markup is made by code only; nothing that a node says can become any. */
    @Test
    void noSourceMakesMarkupOutOfText() throws IOException {
        try (Stream<Path> under = Files.walk(UI.resolve("src"))) {
            assertThat(under.filter(file -> file.toString().matches(".*\\.tsx?")))
                    .allSatisfy(file -> assertThat(Files.readString(file))
                            .doesNotContain("dangerouslySetInnerHTML")
                            .doesNotContain("innerHTML")
                            .doesNotContain("document.write")
                            .doesNotContain("eval("));
        }
    }

    private static String index() throws IOException {
        return Files.readString(DIST.resolve("index.html"));
    }

    private static List<String> matches(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static int gzipped(List<String> files) throws IOException {
        int sum = 0;
        for (String file : files) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(out)) {
                Files.copy(DIST.resolve(file), gzip);
            }
            sum += out.size();
        }
        return sum;
    }
}
