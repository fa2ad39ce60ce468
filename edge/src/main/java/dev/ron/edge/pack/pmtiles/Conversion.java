package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.Mercator;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.Unpacking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Writes the tiles of a pack as a PMTiles archive: all of them, or those that touch a box. */
public final class Conversion {
    private static final int MAX_PLAIN_BYTES = 64 << 20;

    private final Pack source;
    private final ArchiveSpec spec;
    private final Bounds box;

    private Conversion(Pack source, ArchiveSpec spec, Bounds box) {
        this.source = source;
        this.spec = spec;
        this.box = box;
    }

    public static Conversion of(Pack source) {
        ArchiveSpec like = ArchiveSpec.like(source.info());
        ArchiveSpec spec = new ArchiveSpec(
                like.type(),
                like.tileCoding(),
                like.internalCoding(),
                like.bounds(),
                like.center(),
                source.metadata()); // all of it: its description has only what is served
        return new Conversion(source, spec, Bounds.WORLD);
    }

    /** Only what touches the box. */
    public Conversion within(Bounds bounds) {
        return new Conversion(source, spec.within(bounds), bounds);
    }

    /** Does it; {@code headway} hears of the tiles that were looked at. Returns how many were written. */
    public long writeTo(Path target, Headway headway) throws IOException {
        boolean all = box.equals(Bounds.WORLD);
        source.expectedTiles().ifPresent(headway::total);
        AtomicLong seen = new AtomicLong();
        try (PmtilesWriter writer = PmtilesWriter.create(target, spec)) {
            Predicate<TileCoord> wanted = at -> {
                headway.done(seen.incrementAndGet());
                return all || Mercator.overlaps(at, box);
            };
            source.tiles(wanted, (at, tile) -> {
                try {
                    writer.add(at, recoded(tile));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return true;
            });
            writer.finish();
            return writer.tiles();
        } catch (UncheckedIOException e) {
            throw new IOException("cannot write " + target.getFileName(), e.getCause());
        }
    }

    /** An archive has one coding for all tiles; a database may mix them. */
    private byte[] recoded(Tile tile) {
        Coding wanted = spec.tileCoding();
        Coding coding = tile.coding().in(spec.type());
        if (coding == wanted || (!coding.isCompressed() && !wanted.isCompressed())) {
            return tile.bytes();
        }
        byte[] plain = Unpacking.unpack(coding, tile.bytes(), MAX_PLAIN_BYTES, "a tile");
        return Packing.pack(wanted, plain);
    }
}
