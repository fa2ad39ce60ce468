package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Visits every entry of an archive in order of identifiers, holding one directory per level.
 *
 * <p>It ends on any input: each leaf must keep to the identifiers its parent gives it, leaves together may not be longer
 * than their section (else they overlap, and a few bytes could be visited for ever), depth and entries have bounds.
 */
final class DirectoryWalk {
    private final PmtilesPack pack;
    private final BooleanSupplier stop;
    private long directories;
    private long entries;
    private long leafBytes;

    /** Sees one entry for tiles; false ends the walk. */
    @FunctionalInterface
    private interface EntryVisitor {
        boolean visit(Directory directory, int entry);
    }

    DirectoryWalk(PmtilesPack pack, BooleanSupplier stop) {
        this.pack = pack;
        this.stop = stop;
    }

    /** Shows each blob once for each entry, with the length of the run that shares it. */
    void runs(PmtilesPack.RunVisitor visitor) {
        walk((directory, entry) -> {
            visitor.visit(directory.run(entry), pack.blob(directory.offset(entry), directory.length(entry)));
            return true;
        });
    }

    /** A few bytes can claim runs of billions: no more tiles than the header says, or where it says less, than entries. */
    void tiles(Predicate<TileCoord> wanted, TileVisitor visitor) {
        long most = Math.max(pack.header().addressedTiles(), pack.limits().maxEntries());
        long[] addressed = new long[1];
        walk((directory, entry) -> {
            addressed[0] += directory.run(entry);
            if (addressed[0] > most) {
                throw new PackError(
                        PackFault.TOO_LARGE,
                        pack.file().name() + ": its directories have more than the " + most + " tiles that are taken");
            }
            Tile tile = null;
            long first = directory.id(entry);
            for (long id = first; id < first + directory.run(entry); id++) {
                if (stop.getAsBoolean()) {
                    return false;
                }
                TileCoord at = TileId.toTile(id);
                if (wanted.test(at)) {
                    tile = tile == null ? pack.blob(directory.offset(entry), directory.length(entry)) : tile;
                    if (!visitor.visit(at, tile)) {
                        return false;
                    }
                }
            }
            return true;
        });
    }

    WalkReport check() {
        Seen seen = new Seen();
        boolean complete = walk(seen::add);
        return new WalkReport(
                directories,
                entries,
                seen.addressed,
                seen.firstId < 0 ? 0 : TileId.zoomOf(seen.firstId),
                seen.lastId < 0 ? 0 : TileId.zoomOf(seen.lastId),
                complete,
                complete ? seen.differences(pack.header(), entries) : List.of());
    }

    private boolean walk(EntryVisitor visitor) {
        return walk(pack.root(), 1, 0, TileId.END, visitor);
    }

    /** Visits a directory that may hold identifiers from {@code from} up to, not including, {@code to}. */
    private boolean walk(Directory directory, int depth, long from, long to, EntryVisitor visitor) {
        directories++;
        if (directory.id(0) < from || directory.id(directory.size() - 1) >= to) {
            throw new PackError(
                    PackFault.BAD_DIRECTORY,
                    pack.file().name() + ": a leaf directory holds tiles that its parent looks for elsewhere");
        }
        for (int i = 0; i < directory.size(); i++) {
            if (stop.getAsBoolean()) {
                return false;
            }
            long next = i + 1 < directory.size() ? directory.id(i + 1) : to;
            boolean more = directory.isLeaf(i)
                    ? walk(leaf(directory, i, depth), depth + 1, directory.id(i), next, visitor)
                    : entry(directory, i, visitor);
            if (!more) {
                return false;
            }
        }
        return true;
    }

    private boolean entry(Directory directory, int entry, EntryVisitor visitor) {
        if (++entries > pack.limits().maxEntries()) {
            throw new PackError(
                    PackFault.TOO_LARGE,
                    pack.file().name() + ": more than " + pack.limits().maxEntries() + " entries");
        }
        return visitor.visit(directory, entry);
    }

    private Directory leaf(Directory parent, int entry, int depth) {
        if (depth == PmtilesPack.MAX_DEPTH) {
            throw pack.tooDeep();
        }
        leafBytes += parent.length(entry);
        if (leafBytes > pack.header().leaves().length()) {
            throw new PackError(
                    PackFault.BAD_DIRECTORY, pack.file().name() + ": leaf directories overlap or form a loop");
        }
        return pack.leaf(parent.offset(entry), parent.length(entry));
    }

    /** What the entries add up to. */
    private static final class Seen {
        private long addressed;
        private long contents;
        private long firstId = -1;
        private long lastId = -1;
        private long end; // of the tile data seen so far, without a gap
        private boolean clustered = true;

        boolean add(Directory directory, int entry) {
            long run = directory.run(entry);
            addressed += run;
            if (firstId < 0) {
                firstId = directory.id(entry);
            }
            lastId = directory.id(entry) + run - 1;
            // Clustered: each blob follows the one before, or was seen already.
            if (directory.offset(entry) == end) {
                end += directory.length(entry);
                contents++;
            } else if (directory.offset(entry) > end) {
                clustered = false;
            }
            return true;
        }

        List<String> differences(Header header, long entries) {
            List<String> found = new ArrayList<>();
            compare(found, "addressed tiles", header.addressedTiles(), addressed);
            compare(found, "tile entries", header.tileEntries(), entries);
            if (header.clustered() && !clustered) {
                found.add("the header says clustered, the tile data is not in order");
            }
            if (header.clustered() && clustered) {
                compare(found, "tile contents", header.tileContents(), contents);
            }
            if (entries > 0 && header.minZoom() != TileId.zoomOf(firstId)) {
                found.add("min zoom " + header.minZoom() + ", the first tile has " + TileId.zoomOf(firstId));
            }
            if (entries > 0 && header.maxZoom() != TileId.zoomOf(lastId)) {
                found.add("max zoom " + header.maxZoom() + ", the last tile has " + TileId.zoomOf(lastId));
            }
            return found;
        }

        /** A count of 0 in the header means that its writer did not know. */
        private static void compare(List<String> found, String what, long said, long counted) {
            if (said != 0 && said != counted) {
                found.add(what + ": the header says " + said + ", the directories have " + counted);
            }
        }
    }
}
