package dev.ron.edge.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.testkit.NoLeaks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(NoLeaks.class)
class PackFileTest {
    @TempDir
    Path folder = Path.of("");

    private Path path = Path.of("");

    @BeforeEach
    void write() throws IOException {
        path = folder.resolve("pack.pmtiles");
        Files.write(path, filled(1));
        // Older than a tick of the file system's clock, as any pack is.
        Files.setLastModifiedTime(path, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
    }

    private static byte[] filled(int value) {
        byte[] bytes = new byte[100_000];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void anOverwrittenFileIsNoticedAtTheNextRead() throws IOException {
        try (PackFile file = PackFile.open(path)) {
            assertThat(file.read(10, 5)).containsOnly(1);
            Files.write(path, filled(2));
            assertThatThrownBy(() -> file.read(10, 5))
                    .isInstanceOfSatisfying(
                            PackError.class, e -> assertThat(e.fault()).isEqualTo(PackFault.OVERWRITTEN))
                    .hasMessageContaining("by rename");
        }
    }

    @Test
    void aTruncatedFileIsNoticedAtTheNextRead() throws IOException {
        try (PackFile file = PackFile.open(path)) {
            Files.write(path, new byte[10]);
            assertThatThrownBy(() -> file.read(50_000, 5))
                    .isInstanceOfSatisfying(
                            PackError.class, e -> assertThat(e.fault()).isEqualTo(PackFault.OVERWRITTEN));
        }
    }

    @Test
    void aFileReplacedByRenameOrRemovedIsReadableToItsEnd() throws IOException {
        try (PackFile file = PackFile.open(path)) {
            Path next = folder.resolve("next");
            Files.write(next, filled(2));
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
            assertThat(file.read(0, 100_000)).isEqualTo(filled(1));
            Files.delete(path);
            assertThat(file.read(0, 100_000)).isEqualTo(filled(1));
        }
    }

    @Test
    void readsOutsideTheFileAreRefusedBeforeTheyHappen() {
        try (PackFile file = PackFile.open(path)) {
            for (long offset : new long[] {-1, 99_999, 100_000, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> file.read(offset, 2)).isInstanceOf(PackError.class);
            }
        }
    }

    // interrupt | read of another thread   ->  both get their bytes, the channel lives, the interrupt is kept
    @Test
    void interruptedReadersTakeNothingFromTheOthers() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger victimReads = new AtomicInteger();
        AtomicBoolean kept = new AtomicBoolean();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (PackFile file = PackFile.open(path)) {
            Thread victim = Thread.ofPlatform().start(() -> {
                readUntil(stop, file, victimReads, failures);
                kept.set(Thread.currentThread().isInterrupted());
            });
            Thread bystander = Thread.ofPlatform().start(() -> readUntil(stop, file, new AtomicInteger(), failures));
            // Long enough that interrupts strike in the middle of reads: without reopening this fails every time.
            while (victimReads.get() < 1000 && failures.isEmpty()) {
                victim.interrupt();
                Thread.onSpinWait();
            }
            stop.set(true);
            victim.join();
            bystander.join();
            assertThat(failures).isEmpty();
            assertThat(kept).isTrue();
        }
    }

    private static void readUntil(AtomicBoolean stop, PackFile file, AtomicInteger reads, Queue<Throwable> failures) {
        byte[] expected = filled(1);
        try {
            while (!stop.get()) {
                assertThat(Arrays.equals(file.read(0, expected.length), expected))
                        .isTrue();
                reads.incrementAndGet();
            }
        } catch (Throwable e) {
            failures.add(e);
        }
    }
}
