package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.Clock;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Signers;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.registry.tlog.Notary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An older log is gone on from only on demand, and only as another log. */
class RollbackTest {
    private static final long NOW = 1_800_000_000_000L;

    private final Signers council = new Signers(2, 3);

    @TempDir
    Path data;

    private Path log() {
        return data.resolve("registry");
    }

    private Path witness() {
        return data.resolve("witness/head");
    }

    private void commit(String... ids) throws IOException {
        try (SegmentStore store = SegmentStore.open(new RealDisk(log()), 1 << 20)) {
            Optional<Registry> opened = Registry.open(store, Limits.DEFAULT);
            Registry registry = opened.isPresent() ? opened.get() : council.create(store);
            for (String id : ids) {
                council.commit(registry, council.put(id, 0, "http://" + id));
            }
            Rollback.outside(witness()).remember(registry.view());
        }
    }

    private void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    private Rollback rolledBack() throws IOException {
        commit("svc.a", "svc.b");
        copy(log(), data.resolve("backup"));
        commit("svc.c");
        Files.move(log(), data.resolve("lost"));
        Files.move(data.resolve("backup"), log());
        return new Rollback(log(), Optional.of(witness()));
    }

    @Test
    void theStateGoesOnUnderAnotherOriginAndTheOldLogIsKept() throws Exception {
        Rollback rollback = rolledBack();
        Rollback.Found found = rollback.look().orElseThrow();
        assertThat(found.why()).contains("ends at version 3, it was at version 4");
        assertThat(found.descriptors()).isEqualTo(2);
        Rollback.Accepted accepted = rollback.accept(NOW, new SecureRandom());
        assertThat(accepted.origin()).startsWith(Signers.ORIGIN + "/restored/");
        assertThat(Files.isDirectory(accepted.kept().resolve("log"))).isTrue();
        RealDisk disk = new RealDisk(log());
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            Registry registry = Registry.open(store, Limits.DEFAULT).orElseThrow();
            assertThat(registry.view().version()).isEqualTo(1);
            assertThat(registry.entry(1).hash()).isEqualTo(accepted.genesis());
            assertThat(registry.view().ledger().genesis().origin()).isEqualTo(accepted.origin());
            assertThat(Stream.of("svc.a", "svc.b", "svc.c")
                            .filter(id ->
                                    registry.view().ledger().state().get(id).isPresent()))
                    .containsExactly("svc.a", "svc.b");
            assertThat(registry.view().ledger().signers().m()).isEqualTo(2);
            assertThat(registry.view().ledger().genesis().logKeys())
                    .isEqualTo(LogKeys.read(disk).verifiers(accepted.origin()));
        }
        assertThat(rollback.look()).as("the new log is as new as it ever was").isEmpty();
    }

    @Test
    void aLogThatWasNotRolledBackIsLeftAlone() throws Exception {
        commit("svc.a");
        Rollback rollback = new Rollback(log(), Optional.of(witness()));
        assertThat(rollback.look()).isEmpty();
        assertThatThrownBy(() -> rollback.accept(NOW, new SecureRandom())).hasMessageContaining("nothing to accept");
        try (Stream<Path> left = Files.list(data)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .hasSameElementsAs(List.of("registry", "witness"));
        }
    }

    @Test
    void aSecondRollbackReplacesTheMarkOfTheFirst() throws Exception {
        Rollback rollback = rolledBack();
        Rollback.Accepted first = rollback.accept(NOW, new SecureRandom());
        Files.writeString(witness(), Files.readString(witness()).replace("\"version\":1", "\"version\":9"));
        Rollback.Accepted second = rollback.accept(NOW + 1, new SecureRandom());
        assertThat(second.origin()).isNotEqualTo(first.origin()).hasSameSizeAs(first.origin());
    }

    // the last batch is rotten, and a witness has seen it whole  ->  no torn tail: the start is refused, not a byte is
    // cut off
    @Test
    void rotInTheLastBatchIsNotTakenForACrash() throws Exception {
        commit("svc.a");
        council.logKeys.write(new RealDisk(log()));
        Path file = log().resolve("log/seg-00000000000000000001.rgl");
        byte[] bytes = rotInTheLastBatch(file);
        assertThat(new Rollback(log(), Optional.of(witness()))
                        .look()
                        .orElseThrow()
                        .version())
                .isEqualTo(1);
        assertThat(Files.readAllBytes(file)).as("looking changes nothing").isEqualTo(bytes);
        Setup setup = new Setup(
                "127.0.0.1",
                0,
                Optional.of(log()),
                Optional.of(witness()),
                false,
                Optional.empty(),
                1024,
                Optional::empty);
        assertThatThrownBy(() -> LogFolder.open(setup, KeysAreWipedTest.CONFIG, RealDisk::new, Clock.system()))
                .isInstanceOfSatisfying(
                        StoreFault.class, fault -> assertThat(fault.kind()).isEqualTo(StoreFault.Kind.CORRUPT))
                .hasMessageContaining("nothing was cut off");
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    }

    // a snapshot of the newest version | its batch is rotten  ->  the state of the version before, from its payloads
    @Test
    void theStateGoesOnAlsoWhereTheSnapshotIsNewerThanTheLog() throws Exception {
        commit("svc.a", "svc.b", "svc.c");
        RealDisk disk = new RealDisk(log());
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            Registry registry = Registry.open(store, Limits.DEFAULT).orElseThrow();
            Notary notary = new Notary(council.logKeys, registry.view(), Clock.system(), Duration.ofMinutes(1));
            new Archive(disk, registry).store(registry.view(), notary.checkpoint(registry.view()));
        }
        rotInTheLastBatch(log().resolve("log/seg-00000000000000000001.rgl"));
        Rollback.Found found =
                new Rollback(log(), Optional.of(witness())).look().orElseThrow();
        assertThat(found.version()).isEqualTo(3);
        assertThat(found.descriptors()).isEqualTo(2);
    }

    /** Turns a bit in the batch of the last commit: behind it nothing was written. */
    private static byte[] rotInTheLastBatch(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int last = bytes.length - 1;
        while (bytes[last] == 0) {
            last--;
        }
        bytes[last] ^= 1;
        Files.write(file, bytes);
        return bytes;
    }
}
