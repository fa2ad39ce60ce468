package dev.ron.edge.cas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.digest.Digest;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.VirtualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NoLeaks.class)
class CasTest {
    @TempDir
    Path folder = Path.of("");

    private Cas make(String kind, long maxBytes, Clock clock) {
        return kind.equals("ram") ? new RamCas(maxBytes, clock) : DiskCas.open(folder, maxBytes, clock);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Committed put(Cas cas, byte[] bytes) {
        try (Staged staged = cas.stage(1 << 20)) {
            for (int at = 0; at < bytes.length; at += 1000) {
                staged.write(ByteBuffer.wrap(bytes, at, Math.min(1000, bytes.length - at)));
            }
            return cas.commit(staged);
        }
    }

    private static Optional<byte[]> get(Cas cas, Digest digest) {
        return cas.open(digest).map(found -> {
            try (Blob blob = found) {
                ByteBuffer into = ByteBuffer.allocate((int) blob.size());
                blob.read(0, into);
                return into.array();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "ram"})
    void aBlobIsFoundUnderTheDigestOfItsBytesAndStoredOnce(String kind) {
        try (Cas cas = make(kind, 10_000, Clock.system())) {
            byte[] bytes = "x".repeat(3500).getBytes(StandardCharsets.UTF_8);
            assertThat(put(cas, bytes)).isEqualTo(new Committed(Blake3.hash(bytes), 3500, false));
            assertThat(put(cas, bytes).duplicate()).isTrue();
            assertThat(get(cas, Blake3.hash(bytes)))
                    .hasValueSatisfying(b -> assertThat(b).isEqualTo(bytes));
            assertThat(get(cas, Blake3.hash(text("other")))).isEmpty();
            assertThat(cas.stats()).isEqualTo(new CasStats(3500, 10_000, 1, 1, 1, 0, 0));
            assertThat(put(cas, new byte[0]).size()).isZero();
            assertThat(get(cas, Blake3.hash(new byte[0]))).isPresent();
        }
    }

    // a large blob and a small one | a restart  ->  the large one is to be read once before it is vouched for
    @Test
    void whatTakesLongToVouchForIsKnownBeforehand() {
        Digest large;
        Digest small;
        try (Cas cas = make("disk", 10_000_000, Clock.system());
                Staged staged = cas.stage(2_000_000)) {
            staged.write(ByteBuffer.allocate(1_500_000));
            large = cas.commit(staged).digest();
            small = put(cas, text("small")).digest();
            assertThat(cas.isUnread(large)).as("it was hashed on its way in").isFalse();
        }
        try (Cas cas = make("disk", 10_000_000, Clock.system())) {
            assertThat(cas.isUnread(large)).isTrue();
            assertThat(cas.isUnread(small)).isFalse();
            cas.open(large).orElseThrow().close();
            assertThat(cas.isUnread(large)).isFalse();
            assertThat(cas.isUnread(Blake3.hash(text("nothing")))).isFalse();
        }
    }

    // a blob that cannot be opened just now, for want of descriptors say  ->  the caller is told, and it is there
    // afterwards
    @Test
    void whatCannotBeOpenedNowIsNotForgotten() throws IOException {
        Digest digest;
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            digest = put(cas, text("bytes")).digest();
        }
        Path blob;
        try (Stream<Path> files = Files.walk(folder)) {
            blob = files.filter(file -> file.endsWith(digest.hex())).findAny().orElseThrow();
        }
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            Path aside = folder.resolve("aside");
            Files.move(blob, aside);
            Files.createSymbolicLink(blob, blob); // leads to itself
            assertThatThrownBy(() -> cas.open(digest))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.reason()).isEqualTo("cas_io"));
            Files.move(aside, blob, StandardCopyOption.REPLACE_EXISTING);
            assertThat(get(cas, digest))
                    .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(text("bytes")));
            assertThat(cas.stats().bytes()).isEqualTo(5);
        }
    }

    // the disk was full, or the power went, in the instant in which a store was made | another start  ->  it opens
    @Test
    void aStoreThatWasHalfMadeIsMade() throws IOException {
        Files.createFile(folder.resolve("VERSION"));
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            assertThat(get(cas, put(cas, text("bytes")).digest())).isPresent();
        }
        assertThat(Files.readString(folder.resolve("VERSION"))).isEqualTo("1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "ram"})
    void whatWasNotCommittedIsNeverVisible(String kind) throws IOException {
        try (Cas cas = make(kind, 10_000, Clock.system())) {
            Digest digest;
            try (Staged staged = cas.stage(100)) {
                staged.write(ByteBuffer.wrap(text("half")));
                digest = staged.finish();
                assertThat(cas.open(digest)).isEmpty();
            }
            assertThat(cas.open(digest)).isEmpty();
        }
        if (kind.equals("disk")) {
            try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
                assertThat(left).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "ram"})
    void tooLargeObjectsAreRefusedAndNothingIsStored(String kind) {
        try (Cas cas = make(kind, 1000, Clock.system())) {
            try (Staged staged = cas.stage(10)) {
                staged.write(ByteBuffer.wrap(text("0123456789")));
                assertThatThrownBy(() -> staged.write(ByteBuffer.wrap(text("x"))))
                        .isInstanceOfSatisfying(
                                RonException.class, e -> assertThat(e.reason()).isEqualTo("too_large"));
            }
            assertThatThrownBy(() -> put(cas, new byte[1001])).isInstanceOf(RonException.class);
            assertThat(cas.stats().blobs()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "ram"})
    void whatWasNotUsedForLongestGoesFirst(String kind) {
        VirtualClock clock = new VirtualClock();
        try (Cas cas = make(kind, 1000, clock)) {
            List<Digest> digests = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clock.advance(Duration.ofSeconds(1));
                byte[] bytes = new byte[100];
                bytes[0] = (byte) i;
                digests.add(put(cas, bytes).digest());
            }
            clock.advance(Duration.ofSeconds(1));
            assertThat(get(cas, digests.getFirst())).isPresent();
            put(cas, new byte[101]);
            // 1101 bytes were too many; room was made down to 900: the second, third and fourth went, not the first.
            assertThat(digests.stream().map(d -> get(cas, d).isPresent()))
                    .containsExactly(true, false, false, false, true, true, true, true, true, true);
            assertThat(cas.stats().evictions()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "ram"})
    void theBoundHoldsAfterEveryCommitAndNoReaderSeesWrongBytes(String kind) {
        try (Cas cas = make(kind, 50_000, Clock.system())) {
            Random random = new Random(5);
            List<Digest> seen = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                byte[] bytes = new byte[random.nextInt(4000)];
                random.nextBytes(bytes);
                seen.add(put(cas, bytes).digest());
                assertThat(cas.stats().bytes()).isLessThanOrEqualTo(50_000);
                Digest any = seen.get(random.nextInt(seen.size()));
                get(cas, any).ifPresent(b -> assertThat(Blake3.hash(b)).isEqualTo(any));
            }
            assertThat(cas.stats().evictions()).isPositive();
        }
    }

    @Test
    void whatIsBeingCollectedInMemoryCountsLikeWhatIsThere() {
        try (Cas cas = make("ram", 200_000, Clock.system())) {
            put(cas, new byte[100_000]);
            try (Staged first = cas.stage(200_000);
                    Staged second = cas.stage(200_000)) {
                first.write(ByteBuffer.allocate(150_000));
                assertThat(cas.stats().bytes() + first.size()).isLessThanOrEqualTo(200_000);
                assertThatThrownBy(() -> second.write(ByteBuffer.allocate(60_000)))
                        .isInstanceOfSatisfying(
                                RonException.class, e -> assertThat(e.reason()).isEqualTo("cas_full"));
            }
            byte[] bytes = new byte[150_000];
            new Random(7).nextBytes(bytes);
            Digest digest = put(cas, bytes).digest();
            assertThat(get(cas, digest)).hasValueSatisfying(b -> assertThat(b).isEqualTo(bytes));
            try (Blob blob = cas.open(digest).orElseThrow()) {
                ByteBuffer part = ByteBuffer.allocate(70_000);
                blob.read(60_001, part);
                assertThat(part.array()).isEqualTo(Arrays.copyOfRange(bytes, 60_001, 130_001));
            }
        }
    }

    // a commit that waits for its turn | whoever wanted it gives up and closes it  ->  nothing appears under its digest
    @Test
    void whatWasGivenUpIsNotCommitted() {
        try (Cas cas = make("ram", 10_000, Clock.system())) {
            Staged staged = cas.stage(1000);
            staged.write(ByteBuffer.wrap(text("given up")));
            staged.close();
            assertThatThrownBy(() -> cas.commit(staged)).isInstanceOf(RonException.class);
            assertThat(get(cas, Blake3.hash(text("given up")))).isEmpty();
        }
    }

    @Test
    void anOpenBlobOutlivesItsEviction() {
        try (Cas cas = make("disk", 1000, Clock.system())) {
            Digest first = put(cas, new byte[600]).digest();
            try (Blob blob = cas.open(first).orElseThrow()) {
                put(cas, new byte[700]);
                assertThat(cas.open(first)).isEmpty();
                ByteBuffer into = ByteBuffer.allocate(600);
                blob.read(0, into);
                assertThat(Blake3.hash(into.array())).isEqualTo(first);
            }
        }
    }

    @Test
    void aReopenedStoreHasItsBlobsAndPutsDamagedOnesAside() throws IOException {
        Digest good;
        Digest bad;
        Digest cut;
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            good = put(cas, text("good")).digest();
            bad = put(cas, text("to be damaged")).digest();
            cut = put(cas, text("to be cut")).digest();
        }
        Files.writeString(path(bad), "to be damageD");
        Files.writeString(path(cut), "to be");
        Files.writeString(folder.resolve("tmp/77.part"), "left by a killed process");
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            assertThat(get(cas, good)).isPresent();
            assertThat(get(cas, bad)).isEmpty();
            assertThat(get(cas, cut)).isEmpty();
            assertThat(cas.stats().damaged()).isEqualTo(2);
            assertThat(cas.stats().blobs()).isEqualTo(1);
            assertThat(put(cas, text("to be damaged")).duplicate()).isFalse();
            assertThat(get(cas, bad)).isPresent();
        }
        assertThat(folder.resolve("tmp/77.part")).doesNotExist();
        try (Stream<Path> aside = Files.list(folder.resolve("quarantine"))) {
            assertThat(aside).hasSize(2);
        }
    }

    // a blob that a power loss left empty, or a hand took away or overwrote | its bytes come again  ->  it is whole
    @Test
    void bytesThatComeAgainReplaceABlobThatIsNotAsItWas() throws IOException {
        Digest torn;
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            torn = put(cas, text("torn")).digest();
        }
        Files.write(path(torn), new byte[0]);
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            assertThat(put(cas, text("torn")).duplicate()).isFalse();
            assertThat(get(cas, torn)).hasValue(text("torn"));
            assertThat(put(cas, text("torn")).duplicate()).isTrue();
            Files.delete(path(torn));
            put(cas, text("torn"));
            assertThat(get(cas, torn)).hasValue(text("torn"));
            Files.writeString(path(torn), "other bytes");
            put(cas, text("torn"));
            assertThat(get(cas, torn)).hasValue(text("torn"));
            assertThat(cas.stats()).isEqualTo(new CasStats(4, 10_000, 1, 3, 1, 0, 0));
        }
    }

    @Test
    void aBlobThatIsOverwrittenWhileOpenIsNotServed() throws IOException {
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            Digest digest = put(cas, text("some bytes")).digest();
            try (Blob blob = cas.open(digest).orElseThrow()) {
                Files.writeString(path(digest), "other bytes than before");
                assertThatThrownBy(() -> blob.read(0, ByteBuffer.allocate(10)))
                        .isInstanceOfSatisfying(
                                RonException.class, e -> assertThat(e.reason()).isEqualTo("integrity"));
            }
            assertThat(get(cas, digest)).isEmpty();
        }
    }

    @Test
    void aSecondProcessIsKeptOut() {
        try (Cas _ = make("disk", 10_000, Clock.system())) {
            assertThatThrownBy(() -> make("disk", 10_000, Clock.system()))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.reason()).isEqualTo("cas_locked"));
        }
    }

    @Test
    void aStoreReopenedWithALowerBoundShrinks() {
        try (Cas cas = make("disk", 10_000, Clock.system())) {
            for (int i = 1; i <= 10; i++) {
                put(cas, new byte[500 + i]);
            }
        }
        try (Cas cas = make("disk", 2000, Clock.system())) {
            assertThat(cas.stats().bytes()).isLessThanOrEqualTo(2000);
        }
    }

    private Path path(Digest digest) {
        String hex = digest.hex();
        return folder.resolve("b3")
                .resolve(hex.substring(0, 2))
                .resolve(hex.substring(2, 4))
                .resolve(hex);
    }
}
