package dev.ron.registry.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.registry.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system of 10 MiB and 32 files that really has no room left; only where this process may mount one. */
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
        mounted = runs("mount", "-t", "tmpfs", "-o", "size=10m,nr_inodes=32", "tmpfs", folder.toString());
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

    // there is room in the last file and none for another -> full, not broken, and it goes on when there is
    @Test
    void noRoomForAnotherFileIsAFullDiskToo() throws IOException {
        try (SegmentStore store = SegmentStore.open(new RealDisk(folder.resolve("registry")), body.length + 1000)) {
            Store.Recovery _ = store.replay((seq, records) -> {});
            append(store);
            List<Path> fillers = fillWithFiles();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> append(store))
                        .isInstanceOfSatisfying(
                                StoreFault.class,
                                fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.FULL));
            }
            assertThat(store.trouble()).as("full is not broken").isEmpty();
            for (Path filler : fillers) {
                Files.delete(filler);
            }
            append(store);
            assertThat(store.segments()).isEqualTo(2);
            assertThat(store.read(new Ref(2, 0)).body()).isEqualTo(body);
        }
    }

    private List<Path> fillWithFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        while (true) {
            Path file = folder.resolve("file" + files.size());
            try {
                files.add(Files.createFile(file));
            } catch (IOException full) {
                return files;
            }
        }
    }
}
