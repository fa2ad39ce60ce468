package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A demo whose build has left no world: the edge makes it. */
class DemoEdgeTest {
    private static final int TRIES = 10;

    @TempDir
    Path temporary;

    private static TestEdge edge(Path folder) {
        return new TestEdge(
                "",
                new Setup("127.0.0.1", 0, Optional.of(folder), true, Optional.empty(), Optional.empty()),
                Backoff.Policy.DEFAULT);
    }

    // a world that is being made | stop  ->  it is not waited for, and made at the next start
    @Test
    void aStopDoesNotWaitForTheWorldAndTheNextStartMakesIt() {
        Path folder = stoppedHalfway();
        try (TestEdge second = edge(folder)) {
            Eventually.await(
                    "the world is there",
                    () -> second.get("/edge/tiles/world/0/0/0.mvt").statusCode() == 200);
            assertThat(folder.resolve("packs/world.pmtiles.part")).doesNotExist();
        }
    }

    /** The folder of an edge that was stopped before its world was whole; who is held up too long tries again. */
    private Path stoppedHalfway() {
        for (int i = 0; i < TRIES; i++) {
            Path folder = temporary.resolve("edge" + i);
            Path world = folder.resolve("packs/world.pmtiles");
            try (TestEdge first = edge(folder)) {
                Eventually.await("it has begun", () -> Files.exists(world.getParent()));
                assertThat(first.stop().clean()).isTrue();
            }
            if (!Files.exists(world)) {
                return folder;
            }
        }
        throw new AssertionError("every stop has waited for the world");
    }
}
