package dev.ron.registry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.registry.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system of 10 MiB that really has no room left; only where this process may mount one. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FullDiskTest {
    private static final long SEGMENT = 64L << 20;

    @TempDir
    Path folder;

    private final byte[] body = new byte[100_000];
    private boolean mounted;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        new Random(1).nextBytes(body);
        mounted = runs("mount", "-t", "tmpfs", "-o", "size=10m", "tmpfs", folder.toString());
        assumeTrue(mounted, "mounting is not allowed here");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        assertThat(!mounted || runs("umount", folder.toString())).isTrue();
    }

    private static boolean runs(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    private void append(SegmentStore store) throws StoreFault {
        store.append(store.next(), List.of(new Rec(Rec.Type.AUDIT, body)));
    }

    @Test
    void aFullDiskRefusesWholeBatchesAndTakesMoreOnceThereIsRoom() throws IOException {
        Path filler = Files.write(folder.resolve("filler"), new byte[3 << 20]);
        Path log = folder.resolve("registry");
        long written;
        try (SegmentStore store = SegmentStore.open(new RealDisk(log), SEGMENT)) {
            Store.Recovery _ = store.replay((seq, records) -> {});
            assertThatThrownBy(() -> {
                        while (true) {
                            append(store);
                        }
                    })
                    .isInstanceOfSatisfying(
                            StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.FULL));
            written = store.next() - 1;
            assertThat(written).isPositive();
            assertThat(store.trouble()).as("full is not broken").isEmpty();
            assertThat(store.read(new Ref(written, 0)).body()).isEqualTo(body);
            Files.delete(filler);
            for (int i = 0; i < 10; i++) {
                append(store);
            }
        }
        try (SegmentStore store = SegmentStore.open(new RealDisk(log), SEGMENT)) {
            Store.Recovery recovery = store.replay((seq, records) -> {});
            assertThat(recovery.damage()).isEmpty();
            assertThat(store.next() - 1).isEqualTo(written + 10);
        }
    }
}
