package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * docs/start.md pasted into a fresh clone by {@code .ci/start}, from the first build to the console.
 *
 * <p>Only the long run builds; the normal one looks at what would be pasted, and {@link StartGuideTest} runs that on a node
 * that is built already.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class FreshCloneTest {
    private static final Pattern DONE = Pattern.compile("console after ([0-9]+) s");

    @Test
    void theGuideLeadsFromACloneToTheConsole() throws Exception {
        assumeTrue(
                Shell.has("bash") && Shell.has("git") && Shell.has("curl"), "skipped: bash, git or curl is not here");
        Shell shell = new Shell(Path.of(".."));
        int base = StartGuideTest.freeBase();
        String said = shell.run(
                Duration.ofMinutes(15),
                "PORT_BASE=" + base + " .ci/start " + (Boolean.getBoolean("ron.long") ? "" : "--print"));
        if (Boolean.getBoolean("ron.long")) {
            Matcher done = DONE.matcher(said);
            assertThat(done.find()).as(said).isTrue();
            // How long depends on what else the machine does, so it is said and not judged.
            System.out.println(done.group());
        } else {
            assertThat(said)
                    .startsWith("./ron up --port-base " + base + "\n")
                    .contains("/demo/echo", "token attenuate", "tiles/world", "registry commit", "./ron top")
                    .doesNotContain("18080");
        }
    }
}
