package dev.ron.edge.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.kernel.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An object with a head that cannot be sent is refused, and keeps nothing. */
class UnsayableTest {
    private static final byte[] BYTES = new byte[1 << 20];
    private static final Entity UNSAYABLE = new Entity(
            "text/plain",
            "",
            false,
            new Representation(BYTES.length, EntityTag.ofContent(Blake3.hash(BYTES)), Optional.empty()),
            "max-age=60\n");

    @TempDir
    Path folder;

    @Test
    void itTakesNoRoom() {
        Room room = new Room(0);
        assertThatThrownBy(() -> HotObject.of(UNSAYABLE, BYTES, true, room)).isInstanceOf(RuntimeException.class);
        assertThat(room.tryTake(1)).isTrue();
        assertThat(room.tryTake((16 << 20) - 1)).as("all the rest").isTrue();
    }

    @Test
    void itLeavesNoFileOpen() throws IOException {
        Path path = Files.write(folder.resolve("x.bin"), BYTES);
        try (PackFile file = PackFile.open(path)) {
            long before = open(path);
            assertThatThrownBy(() -> new ServedFile(UNSAYABLE, file, () -> {}, Clock.system()))
                    .isInstanceOf(RuntimeException.class);
            assertThat(open(path)).isEqualTo(before);
        }
    }

    private static long open(Path path) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .filter(one -> {
                        try {
                            return Files.readSymbolicLink(one).equals(path);
                        } catch (IOException _) {
                            return false; // closed meanwhile
                        }
                    })
                    .count();
        }
    }
}
