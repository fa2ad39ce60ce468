package dev.ron.service.seeds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedCoverageTest {
    private static final String HEAD =
            "Owner: someone\nLast reviewed: 2026-01-01\n\n| item | claim | proof |\n| --- | --- | --- |\n";

    @TempDir
    Path project;

    @Test
    void everyItemOfEverySeedIsProved() throws IOException {
        Path root = root();
        CoverageTable table = new CoverageTable(root);
        List<String> complaints = new ArrayList<>();
        try (Stream<Path> documents = Files.list(root.resolve("docs/design/seeds"))) {
            for (Path d : documents.filter(f -> f.toString().endsWith(".md")).toList()) {
                complaints.addAll(table.complaints(d.getFileName().toString(), Files.readString(d)));
            }
        }
        assertThat(complaints).isEmpty();
    }

    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve("docs/design/seeds"))) {
                return at;
            }
        }
        throw new AssertionError("not inside the project");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "| 1 | claim | `kernel/BoxTest#holds` |; ",
                "| 1 | claim | `kernel/BoxTest#laws` |; ",
                "| 1 | claim | `kernel/BoxTest#table`<br>issue: gateway |; ",
                "| 1 | claim | |; item 1: an empty cell",
                "| 1 | | `kernel/BoxTest#holds` |; item 1: an empty cell",
                "| 1 | claim | `kernel/NoTest#holds` |; item 1: no test class NoTest in kernel",
                "| 1 | claim | `edge/BoxTest#holds` |; item 1: no test class BoxTest in edge",
                "| 1 | claim | `kernel/BoxTest#gone` |; item 1: BoxTest has no test gone",
                "| 1 | claim | `kernel/BoxTest#helper` |; item 1: BoxTest has no test helper",
                "| 1 | claim | see above |; expected: `module/TestClass#method`",
                "| 1 | claim | issue: kernel |; item 1: still pending although module kernel exists",
                "| 1 | claim |; not a row of three cells",
            })
    void aRowHoldsOrSaysWhatIsWrong(String row, @Nullable String complaint) throws IOException {
        Path tests = Files.createDirectories(project.resolve("kernel/src/test/java/x"));
        Files.writeString(tests.resolve("BoxTest.java"), """
                class BoxTest {
                    @Test
                    void holds() { int x = 1; }

                    @Property(tries = 10)
                    void laws(@ForAll int n) {}

                    @ParameterizedTest
                    @ValueSource(strings = {"a", "b"})
                    void table(String s) {}

                    private void helper() {}
                }
                """);
        List<String> found = new CoverageTable(project).complaints("kernel.md", HEAD + row + "\n");
        if (complaint == null) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).anyMatch(f -> f.contains(complaint));
        }
    }

    @Test
    void aDocumentHasAnOwnerAReviewAndRows() {
        assertThat(new CoverageTable(project).complaints("x.md", "nothing"))
                .containsExactly(
                        "x.md: no owner (expected: a line \"Owner: ...\")",
                        "x.md: no review (expected: a line \"Last reviewed: YYYY-MM-DD\")",
                        "x.md: no rows");
        String twice = HEAD + "| 1 | a | issue: gateway |\n| 1 | b | issue: gateway |\n";
        assertThat(new CoverageTable(project).complaints("x.md", twice)).containsExactly("x.md: item 1: twice");
    }
}
