package dev.ron.admin.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The suites under {@code ui/test}, run with Node and Chromium where they are, else skipped with a line. */
public final class Suite {
    private static final Duration FETCHING = Duration.ofMinutes(2);
    private static final Duration BROWSING = Duration.ofMinutes(5);

    private final Path ui;
    private final Path out;

    Suite(String name) throws IOException {
        this(name, Path.of("ui"));
    }

    /** @param ui where the pages are, seen from the module under test */
    public Suite(String name, Path ui) throws IOException {
        this.ui = ui;
        out = Files.createDirectories(Path.of("target")).toAbsolutePath().resolve(name + ".txt");
    }

    public void run(String path, Map<String, String> environment) throws IOException, InterruptedException {
        need(starts("node", "--version"), "node is not here (apt-get install nodejs npm)");
        need(
                Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                        .map(Path::of)
                        .anyMatch(Files::isExecutable),
                "chromium is not here (apt-get install chromium)");
        if (!Files.isDirectory(ui.resolve("node_modules/playwright-core"))) {
            need(
                    starts(
                            "npm",
                            "ci",
                            "--ignore-scripts",
                            "--no-audit",
                            "--no-fund",
                            "--fetch-retries=0",
                            "--fetch-timeout=20000"),
                    "npm cannot fetch what the suite needs; see " + out);
        }
        int code = call(BROWSING, environment, "node", "--test", "--test-timeout=120000", path);
        assertThat(code).as(tail()).isZero();
    }

    void types() throws IOException, InterruptedException {
        int code = call(FETCHING, Map.of(), "npm", "run", "--silent", "check");
        assertThat(code).as(tail()).isZero();
    }

    private static void need(boolean there, String otherwise) {
        if (!there) {
            System.out.println("skipped: the console's pages in a browser: " + otherwise);
        }
        Assumptions.assumeTrue(there, otherwise);
    }

    private boolean starts(String... command) throws InterruptedException {
        try {
            return call(FETCHING, Map.of(), command) == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /** The output goes to a file, so that it cannot block; nothing that was started outlives the call. */
    private int call(Duration limit, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(ui.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            return process.waitFor(limit) ? process.exitValue() : -1;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    private String tail() throws IOException {
        List<String> lines = Files.readAllLines(out);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 400), lines.size()));
    }
}
