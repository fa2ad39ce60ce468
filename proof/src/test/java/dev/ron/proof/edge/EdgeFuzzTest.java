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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Hostile packs, ranges and conditions: a typed refusal or an answer within its bounds, never anything else. */
final class EdgeFuzzTest {
    private static final int LENGTH = 1000;
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
            Conditions asked = Conditions.from(asks -> asks.equals(name) ? Optional.of(field) : Optional.empty());
            Answer answer = new Preconditions(false).decide(false, asked, WHOLE);
            check(!(answer instanceof Answer.Part), "a part that nobody asked for");
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

    private static void pack(byte[] bytes, String ending) throws IOException {
        Path file = Files.createTempFile("fuzz", ending);
        try {
            Files.write(file, bytes);
            try (Pack pack = PackOpener.DEFAULT.open(file)) {
                pack.tile(new TileCoord(0, 0, 0));
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
