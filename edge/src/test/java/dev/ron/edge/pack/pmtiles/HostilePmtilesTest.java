package dev.ron.edge.pack.pmtiles;

import static dev.ron.edge.pack.pmtiles.HandMadeArchive.directory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every lie an archive can tell ends in a typed error, and in bounded memory. */
@ExtendWith(NoLeaks.class)
class HostilePmtilesTest {
    private static final long BILLION = 1_000_000_000L;

    @TempDir
    Path folder = Path.of("");

    private static HandMadeArchive archive() {
        return new HandMadeArchive();
    }

    private static byte[] patched(int at, long value) {
        byte[] bytes = archive().bytes();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        return bytes;
    }

    private static byte[] patchedByte(int at, int value) {
        byte[] bytes = archive().bytes();
        bytes[at] = (byte) value;
        return bytes;
    }

    private static byte[] minAboveMax() {
        byte[] bytes = patchedByte(100, 3);
        bytes[101] = 2;
        return bytes;
    }

    /** A leaf at offset 0 of the leaves, covering everything from tile 0 on. */
    private static byte[] rootOver(int leafBytes) {
        return directory(1, 0, 0, leafBytes, 1);
    }

    static Stream<Arguments> lies() {
        byte[] loop = directory(1, 0, 0, 5, 1); // its one entry is itself
        byte[] bomb = Packing.pack(Coding.GZIP, new byte[8 << 20]);
        return Stream.of(
                Arguments.of("empty file", new byte[0], PackFault.TRUNCATED),
                Arguments.of(
                        "one byte short of a header", Arrays.copyOf(archive().bytes(), 126), PackFault.TRUNCATED),
                Arguments.of("header alone", Arrays.copyOf(archive().bytes(), 127), PackFault.TRUNCATED),
                Arguments.of("another magic", patchedByte(0, 'Q'), PackFault.BAD_FORMAT),
                Arguments.of("version 2", patchedByte(7, 2), PackFault.BAD_FORMAT),
                Arguments.of("root before the header", patched(8, 5), PackFault.BAD_HEADER),
                Arguments.of("root offset negative", patched(8, -1), PackFault.TRUNCATED),
                Arguments.of("root offset near 2^63", patched(8, Long.MAX_VALUE), PackFault.TRUNCATED),
                Arguments.of("root length near 2^63", patched(16, Long.MAX_VALUE), PackFault.TRUNCATED),
                Arguments.of("root of no length", patched(16, 0), PackFault.BAD_HEADER),
                Arguments.of("metadata length near 2^64", patched(32, -2), PackFault.TRUNCATED),
                Arguments.of("leaf length beyond the file", patched(48, 1 << 20), PackFault.TRUNCATED),
                Arguments.of("data offset and length overflow", patched(56, Long.MAX_VALUE - 1), PackFault.TRUNCATED),
                Arguments.of("data length beyond the file", patched(64, BILLION), PackFault.TRUNCATED),
                Arguments.of("negative count", patched(72, -1), PackFault.BAD_HEADER),
                Arguments.of("clustered 2", patchedByte(96, 2), PackFault.BAD_HEADER),
                Arguments.of("unknown internal compression", patchedByte(97, 0), PackFault.BAD_HEADER),
                Arguments.of("internal compression 5", patchedByte(97, 5), PackFault.BAD_HEADER),
                Arguments.of("tile compression 200", patchedByte(98, 200), PackFault.BAD_HEADER),
                Arguments.of("tile type 7", patchedByte(99, 7), PackFault.BAD_HEADER),
                Arguments.of("min zoom above max zoom", minAboveMax(), PackFault.BAD_HEADER),
                Arguments.of("zoom 32", patchedByte(101, 32), PackFault.BAD_HEADER),
                Arguments.of("longitude of 200 degrees", patchedByte(105, 0x7F), PackFault.BAD_HEADER),
                Arguments.of("no entries", archive().root(directory(0)).bytes(), PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "10^9 entries",
                        archive().root(directory(BILLION, 0, 1, 4, 1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "2^64-1 entries",
                        archive().root(directory(-1, 0, 1, 4, 1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "cut in the middle",
                        archive().root(directory(1, 0, 1, 4)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "an endless number",
                        archive()
                                .root(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1})
                                .bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "a number of 65 bits",
                        archive()
                                .root(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 0, 0, 0})
                                .bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "ids that stand still",
                        archive().root(directory(2, 0, 0, 1, 1, 2, 2, 1, 0)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "an id beyond zoom 31",
                        archive().root(directory(1, Long.MAX_VALUE, 1, 4, 1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "ids that overflow",
                        archive()
                                .root(directory(2, 5, Long.MAX_VALUE - 2, 1, 1, 2, 2, 1, 0))
                                .bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "a run over the next entry",
                        archive().root(directory(2, 0, 5, 6, 1, 2, 2, 1, 0)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "a run of 2^40",
                        archive().root(directory(1, 0, 1L << 40, 4, 1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "length 0", archive().root(directory(1, 0, 1, 0, 1)).bytes(), PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "length of 2^40",
                        archive().root(directory(1, 0, 1, 1L << 40, 1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "first offset missing",
                        archive().root(directory(1, 0, 1, 4, 0)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "tile outside the data",
                        archive().root(directory(1, 0, 1, 5, 1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "offset that overflows",
                        archive().root(directory(1, 0, 1, 4, Long.MAX_VALUE)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "offset of 2^64-1",
                        archive().root(directory(1, 0, 1, 4, -1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "leaf outside the leaves",
                        archive().root(directory(1, 0, 0, 4, 1)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "bytes after the entries",
                        archive().root(directory(1, 0, 1, 4, 1, 9)).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of("root that is no gzip", gzipHeaderOver(new byte[] {1, 2, 3}), PackFault.BAD_CODING),
                Arguments.of(
                        "root that is a bomb",
                        gzipHeaderOver(Arrays.copyOf(Packing.pack(Coding.GZIP, new byte[12 << 20]), 12_300)),
                        PackFault.TOO_LARGE),
                Arguments.of(
                        "a root of many entries",
                        archive()
                                .coding(Coding.GZIP)
                                .root(equalTiles(300_000))
                                .data(new byte[300_000])
                                .bytes(),
                        PackFault.TOO_LARGE),
                Arguments.of(
                        "a leaf that is itself",
                        archive().root(rootOver(5)).leaves(loop).bytes(),
                        PackFault.TOO_DEEP),
                Arguments.of(
                        "a leaf that is no directory",
                        archive().root(rootOver(3)).leaves(new byte[] {9, 9, 9}).bytes(),
                        PackFault.BAD_DIRECTORY),
                Arguments.of(
                        "a leaf that is a bomb",
                        archive()
                                .coding(Coding.GZIP)
                                .root(rootOver(bomb.length))
                                .leaves(bomb)
                                .bytes(),
                        PackFault.TOO_LARGE),
                Arguments.of(
                        "metadata that is a list",
                        archive()
                                .metadata("[1]".getBytes(StandardCharsets.US_ASCII))
                                .bytes(),
                        PackFault.BAD_METADATA),
                Arguments.of(
                        "metadata that is not JSON",
                        archive()
                                .metadata("{\"a\":".getBytes(StandardCharsets.US_ASCII))
                                .bytes(),
                        PackFault.BAD_METADATA),
                Arguments.of(
                        "metadata 100,000 deep",
                        archive()
                                .metadata("[".repeat(100_000).getBytes(StandardCharsets.US_ASCII))
                                .bytes(),
                        PackFault.BAD_METADATA),
                Arguments.of(
                        "metadata of very many layers",
                        archive().metadata(layers(100_000, "{\"id\":\"x\"}")).bytes(),
                        PackFault.TOO_LARGE),
                Arguments.of(
                        "metadata that is a bomb",
                        archive()
                                .coding(Coding.GZIP)
                                .metadata(new byte[9 << 20])
                                .bytes(),
                        PackFault.TOO_LARGE));
    }

    /** A directory of tiles of one byte, one after the other: a few KiB in gzip. */
    private static byte[] equalTiles(int count) {
        long[] numbers = new long[1 + 4 * count];
        Arrays.fill(numbers, 1);
        numbers[0] = count;
        Arrays.fill(numbers, 1 + 3 * count + 1, numbers.length, 0);
        return directory(numbers);
    }

    private static byte[] layers(int count, String layer) {
        return ("{\"vector_layers\":[" + String.join(",", Collections.nCopies(count, layer)) + "]}")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** An archive that says gzip, with a root section of exactly these bytes. */
    private static byte[] gzipHeaderOver(byte[] root) {
        byte[] bytes = archive().root(root).bytes();
        bytes[97] = 2;
        return bytes;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lies")
    void isRefusedWithItsCause(String what, byte[] bytes, PackFault fault) throws IOException {
        Path path = folder.resolve("hostile.pmtiles");
        Files.write(path, bytes);
        assertThat(catchThrowable(() -> readAll(path)))
                .as(what)
                .isInstanceOfSatisfying(
                        PackError.class,
                        e -> assertThat(e.fault()).as(e.detail()).isEqualTo(fault));
    }

    // statistics by the megabyte, and more fields than are kept  ->  read, with what there is room for
    @Test
    void honestMetadataOfAnySizeIsReadPast() throws IOException {
        Path path = folder.resolve("large.pmtiles");
        String fields = IntStream.range(0, 20_000)
                .mapToObj(i -> "\"name:" + i + "\":\"String\"")
                .collect(Collectors.joining(","));
        String layer = "{\"id\":\"roads\",\"minzoom\":4,\"fields\":{" + fields + "}}";
        String stats = String.join(",", Collections.nCopies(200_000, "[true]"));
        String text = "{\"tilestats\":[" + stats + "],\"name\":\"n\",\"vector_layers\":[" + layer + "]}";
        Files.write(
                path,
                archive().metadata(text.getBytes(StandardCharsets.US_ASCII)).bytes());
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(pack.info().description().toString())
                    .isEqualTo("{\"name\":\"n\",\"vector_layers\":[{\"id\":\"roads\",\"minzoom\":4}]}");
            assertThat(pack.metadata().path("tilestats").size()).isEqualTo(200_000);
        }
    }

    @Test
    void theHonestTwinOfTheTableIsRead() throws IOException {
        Path path = folder.resolve("honest.pmtiles");
        Files.write(path, archive().bytes());
        readAll(path);
        byte[] leaf = directory(1, 0, 1, 4, 1);
        Files.write(path, archive().root(rootOver(leaf.length)).leaves(leaf).bytes());
        readAll(path);
    }

    private static void readAll(Path path) {
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            pack.tile(new TileCoord(0, 0, 0))
                    .ifPresent(tile -> assertThat(tile.bytes()).hasSize(4));
            pack.walk(() -> false);
        }
    }

    /** As `pmtiles` wrote them up to 2022: "PM", the version, the length of the JSON and the entries of the root. */
    @ParameterizedTest
    @ValueSource(bytes = {1, 2})
    void anArchiveOfAnOldVersionIsRefusedWithWhatToDo(byte version) throws IOException {
        byte[] old = new byte[512_000];
        System.arraycopy(new byte[] {'P', 'M', version, 0, 2, 0, 0, 0, 1, 0, '{', '}'}, 0, old, 0, 12);
        Path path = folder.resolve("old.pmtiles");
        Files.write(path, old);
        assertThat(catchThrowable(() -> readAll(path)))
                .isInstanceOf(PackError.class)
                .hasMessageContaining("old.pmtiles is PMTiles version " + version + " (expected: 3); convert it");
    }

    // A root over 1000 leaves that are all the same 5 KB: visited naively that is a walk without end.
    @Test
    void leavesThatOverlapDoNotMakeTheWalkLong() throws IOException {
        int fan = 500;
        long[] numbers = new long[1 + 4 * fan];
        numbers[0] = fan;
        for (int i = 0; i < fan; i++) {
            numbers[1 + i] = i == 0 ? 0 : 1; // ids
            numbers[1 + fan + i] = 0; // leaves
            numbers[1 + 2 * fan + i] = 100; // lengths
            numbers[1 + 3 * fan + i] = 1; // all at offset 0
        }
        byte[] wide = directory(numbers);
        Path path = folder.resolve("wide.pmtiles");
        Files.write(
                path,
                archive().root(wide).leaves(Arrays.copyOf(wide, wide.length)).bytes());
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(catchThrowable(() -> pack.walk(() -> false))).isInstanceOf(PackError.class);
        }
    }

    // one entry, four bytes of tiles | a look at each tile  ->  refused, where it would take for ever
    @Test
    void aRunOfBillionsIsNotVisitedTileByTile() throws IOException {
        Path path = folder.resolve("run.pmtiles");
        Files.write(path, archive().root(directory(1, 0, 0xFFFF_FFFFL, 4, 1)).bytes());
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(catchThrowable(() -> pack.tiles((at, tile) -> true)))
                    .isInstanceOfSatisfying(
                            PackError.class, e -> assertThat(e.fault()).isEqualTo(PackFault.TOO_LARGE));
            List<Long> runs = new ArrayList<>();
            pack.runs((tiles, tile) -> runs.add(tiles));
            assertThat(runs).containsExactly(0xFFFF_FFFFL);
        }
        byte[] lying = Files.readAllBytes(path);
        ByteBuffer.wrap(lying).order(ByteOrder.LITTLE_ENDIAN).putLong(72, 1000);
        Files.write(path, lying);
        try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
            assertThat(catchThrowable(() -> pack.tiles((at, tile) -> true)))
                    .hasMessageContaining("more than the 1000000000 tiles");
        }
    }

    @Test
    void everyPrefixOfAnArchiveIsRefusedOrHonest() throws IOException {
        byte[] whole = archive().coding(Coding.ZSTD).bytes();
        Path path = folder.resolve("prefix.pmtiles");
        for (int length = 0; length < whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertThat(catchThrowable(() -> readAll(path)))
                    .as("%s bytes", length)
                    .isInstanceOf(PackError.class);
        }
    }

    @Test
    void anyChangedByteGivesATypedErrorOrAnArchiveWithinItsBounds() throws IOException {
        Random random = new Random(11);
        byte[] leaf = directory(3, 0, 1, 5, 1, 2, 1, 1, 1, 2, 1, 0, 2);
        for (Coding coding : new Coding[] {Coding.NONE, Coding.GZIP, Coding.ZSTD, Coding.BROTLI}) {
            byte[] packed = Packing.pack(coding, leaf);
            byte[] whole = archive()
                    .coding(coding)
                    .root(rootOver(packed.length))
                    .leaves(packed)
                    .bytes();
            Path path = folder.resolve("fuzzed.pmtiles");
            for (int i = 0; i < 150; i++) {
                byte[] changed = whole.clone();
                int changes = 1 + random.nextInt(3);
                for (int c = 0; c < changes; c++) {
                    changed[random.nextInt(changed.length)] = (byte) random.nextInt();
                }
                Files.write(path, changed);
                Throwable thrown = catchThrowable(() -> {
                    try (PmtilesPack pack = PmtilesPack.open(path, PmtilesLimits.DEFAULT)) {
                        pack.tile(new TileCoord(0, 0, 0));
                        pack.tile(new TileCoord(5, 7, 9));
                        pack.walk(() -> false);
                    }
                });
                if (thrown != null) {
                    assertThat(thrown).isInstanceOf(PackError.class);
                }
            }
        }
    }
}
