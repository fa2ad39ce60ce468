package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.node.RunningNode;
import dev.ron.node.cli.Ron.Said;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code ron top} shows of what it saw. */
@Timeout(120)
final class TopScreenTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    private static Look look(long second, int depth, long served, Look.Cache cache, long version) {
        return new Look(
                second * SECOND,
                json("{'version':'1.0','uptime_seconds':5,'phase':'running','ready':true,'queues':["
                        + "{'name':'gateway.work','depth':" + depth + ",'capacity':512,'dropped_total':3},"
                        + "{'name':'edge.work','depth':0,'capacity':512,'dropped_total':0}]}"),
                Optional.of(
                        json("[{'upstream':'app','issuer':'i','id':'acme','quantum':2,'share':5.3,'limit':8,'held':4,"
                                + "'waiting':7,'used_us':" + served * 10 + ",'served_total':" + served
                                + ",'wait_p99_us':1500,'refused_total':9}]")),
                Optional.of(cache),
                Optional.of(json("{'version':" + version + ",'pending_proposals':1,'frozen':false}")));
    }

    @Test
    void ratesAreWhatHappenedBetweenTwoLooks() {
        TopScreen screen = new TopScreen(Style.PLAIN, false);
        String first = String.join("\n", screen.next(look(10, 0, 100, new Look.Cache(90, 10), 7)));
        assertThat(first)
                .contains("ron 1.0", "ready", "2 queues are empty; dropped since the start: 3")
                .contains("hit ratio 90.0 %, 0.0 answers/s; since the start 90 hits, 10 misses")
                .contains("version 7, 0.0 commits/s, 1 proposal waits")
                .containsPattern("app +acme +2 +5\\.3/8 +4 +7 +0 % +0\\.0 +1\\.5 ms +9");
        String second = String.join("\n", screen.next(look(12, 256, 150, new Look.Cache(190, 10), 17)));
        assertThat(second)
                .containsPattern("gateway\\.work +256 +512 +3\\n")
                .contains("1 more queues are empty")
                .contains("hit ratio 100.0 %, 50.0 answers/s; since the start 190 hits, 10 misses")
                .contains("version 17, 5.0 commits/s")
                .containsPattern("acme .* 100 % +25\\.0 ")
                .doesNotContain("\u001b", "\u2588");
    }

    @Test
    void aTerminalGetsBarsAndColours() {
        TopScreen screen = new TopScreen(new Style(true), true);
        String shown = String.join("\n", screen.next(look(1, 500, 1, new Look.Cache(1, 1), 1)));
        assertThat(shown)
                .contains("\u001b[1;31m" + "\u2588".repeat(16)) // a queue that is nearly full is red
                .contains("\u2588".repeat(8) + "\u2591".repeat(8)); // half of the answers are hits
    }

    // no gateway, no edge -> what runs is shown, the rest is left out, and nothing is an error
    @Test
    void aProcessWithOneServiceShowsThatOne() {
        try (RunningNode node = RunningNode.up(folder, "--services", "registry")) {
            Said said = ron("top", "--count", "1", "--url", "http://127.0.0.1:" + node.port("ops"));
            assertThat(said.code()).as(said.err()).isZero();
            assertThat(said.out())
                    .contains("queues are empty")
                    .containsPattern("registry +version 1, 0\\.0 commits/s, 1 proposal waits")
                    .doesNotContain("TENANT", "hit ratio", "\u001b");
        }
    }
}
