package dev.ron.proof.edge;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.ron.edge.mount.PackOpener;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import dev.ron.edge.range.Answer;
import dev.ron.edge.range.ByteRange;
import dev.ron.edge.range.Conditions;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Preconditions;
import dev.ron.edge.range.Representation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Hostile packs, ranges and conditions: a typed refusal or an answer within its bounds, never anything else. */
final class EdgeFuzzTest {
    private static final int LENGTH = 1000;
    private static final int HEADER = 127; // of a PMTiles archive
    private static final int TILES = 64;
    private static final Representation WHOLE =
            new Representation(LENGTH, EntityTag.strong("b3:0"), Optional.of(Instant.parse("2026-01-01T00:00:00Z")));

    @FuzzTest(maxDuration = "60s")
    void range(byte[] bytes) {
        String field = new String(bytes, StandardCharsets.ISO_8859_1);
        Conditions asked = Conditions.from(name -> name.equals("range") ? Optional.of(field) : Optional.empty());
        switch (new Preconditions(true).decide(false, asked, WHOLE)) {
            case Answer.Part(ByteRange range) -> check(range.last() < LENGTH, "a range beyond the end");
            case Answer.Parts parts -> {
                long sum = parts.ranges().stream().mapToLong(ByteRange::length).sum();
                check(sum <= LENGTH && parts.ranges().size() <= 8, "more than the whole");
            }
            default -> {}
        }
    }

    @FuzzTest(maxDuration = "60s")
    void conditions(byte[] bytes) {
        String field = new String(bytes, StandardCharsets.ISO_8859_1);
        for (String name :
                new String[] {"if-match", "if-none-match", "if-range", "if-modified-since", "if-unmodified-since"}) {
            boolean ranged = name.equals("if-range"); // without a range nobody looks at it
            Conditions asked = Conditions.from(asks -> asks.equals(name)
                    ? Optional.of(field)
                    : ranged && asks.equals("range") ? Optional.of("bytes=0-0") : Optional.empty());
            Answer answer = new Preconditions(false).decide(false, asked, WHOLE);
            boolean current = ranged && field.strip().equals(WHOLE.tag().toString());
            check(!(answer instanceof Answer.Part) || current, "a part that nobody asked for");
            check(!current || answer instanceof Answer.Part, "no part under the tag of the whole");
        }
    }

    @FuzzTest(maxDuration = "60s")
    void pmtiles(byte[] bytes) throws IOException {
        pack(bytes, ".pmtiles");
    }

    @FuzzTest(maxDuration = "60s")
    void mbtiles(byte[] bytes) throws IOException {
        pack(bytes, ".mbtiles");
    }

    /** Behind a header that is right: the first byte says how long the root is, the rest are its leaves. */
    @FuzzTest(maxDuration = "60s")
    void directories(byte[] bytes) throws IOException {
        if (bytes.length < 2) {
            return;
        }
        int root = Math.clamp(bytes[0] & 0xFF, 1, bytes.length - 1);
        int leaves = bytes.length - 1 - root;
        ByteBuffer file =
                ByteBuffer.allocate(HEADER + 2 + bytes.length - 1 + TILES).order(ByteOrder.LITTLE_ENDIAN);
        file.put("PMTiles".getBytes(StandardCharsets.US_ASCII)).put((byte) 3);
        file.putLong(HEADER).putLong(root); // root directory
        file.putLong(HEADER + root).putLong(2); // metadata
        file.putLong(HEADER + root + 2).putLong(leaves);
        file.putLong(HEADER + root + 2 + leaves).putLong(TILES);
        file.putLong(0).putLong(0).putLong(0); // counts, which need not be known
        file.put(new byte[] {1, 1, 1, 2, 0, 16}); // clustered, nothing compressed, PNG, zooms
        file.putInt(-1_800_000_000).putInt(-850_000_000).putInt(1_800_000_000).putInt(850_000_000);
        file.position(HEADER)
                .put(bytes, 1, root)
                .put((byte) '{')
                .put((byte) '}')
                .put(bytes, 1 + root, leaves);
        pack(file.array(), ".pmtiles");
    }

    private static void pack(byte[] bytes, String ending) throws IOException {
        Path file = Files.createTempFile("fuzz", ending);
        try {
            Files.write(file, bytes);
            try (Pack pack = PackOpener.DEFAULT.open(file)) {
                pack.tile(new TileCoord(0, 0, 0));
                pack.tile(new TileCoord(1, 1, 0));
                pack.tile(new TileCoord(5, 7, 9));
                if (pack instanceof PmtilesPack archive) {
                    archive.walk(() -> false);
                }
            } catch (PackError _) {
                // refused, with its cause
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void codings(byte[] bytes) {
        for (Coding coding : new Coding[] {Coding.GZIP, Coding.ZSTD, Coding.BROTLI, Coding.ZLIB}) {
            try {
                check(Unpacking.unpack(coding, bytes, 1 << 16, "fuzz").length <= 1 << 16, "over the bound");
            } catch (PackError _) {
                // refused
            }
        }
    }

    private static void check(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
