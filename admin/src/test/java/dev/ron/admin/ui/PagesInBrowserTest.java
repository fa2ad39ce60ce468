package dev.ron.admin.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Runs {@code ui/test} with Node and Chromium, where they are: see there for what is claimed. */
class PagesInBrowserTest {
    private static final Path UI = Path.of("ui");
    private static final long MINUTES = 8;

    @Test
    void everyPageWorksInARealBrowser() throws Exception {
        need(works("node", "--version"), "node is not here (apt-get install nodejs npm)");
        need(
                Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                        .map(Path::of)
                        .anyMatch(Files::isExecutable),
                "chromium is not here (apt-get install chromium)");
        Path out = Files.createDirectories(Path.of("target")).resolve("pages-in-browser.txt");
        if (!Files.isDirectory(UI.resolve("node_modules/playwright-core"))) {
            need(
                    run(out, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0") == 0,
                    "npm cannot fetch what the suite needs");
        }
        int typed = run(out, "npm", "run", "--silent", "check");
        assertThat(typed).as(Files.readString(out)).isZero();
        int code = run(out, "node", "--test", "test/");
        assertThat(code).as(failures(out)).isZero();
    }

    private static void need(boolean there, String otherwise) {
        if (!there) {
            System.out.println("skipped: the console's pages in a browser: " + otherwise);
        }
        Assumptions.assumeTrue(there, otherwise);
    }

    private static boolean works(String... command) throws InterruptedException {
        try {
            return run(Files.createTempFile("pages", ".txt"), command) == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /** The output goes to a file, so that it cannot block. */
    private static int run(Path out, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(UI.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return -1;
        }
        return process.exitValue();
    }

    private static String failures(Path out) throws IOException {
        List<String> lines = Files.readAllLines(out);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 400), lines.size()));
    }
}
