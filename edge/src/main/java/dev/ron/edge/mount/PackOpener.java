package dev.ron.edge.mount;

import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.mbtiles.MbtilesLimits;
import dev.ron.edge.pack.mbtiles.MbtilesPack;
import dev.ron.edge.pack.pmtiles.LeafCache;
import dev.ron.edge.pack.pmtiles.PmtilesLimits;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Opens a file as the kind of pack its ending says.
 *
 * @param leaves what the archives share; without it each has a cache of its own
 */
public record PackOpener(PmtilesLimits pmtiles, MbtilesLimits mbtiles, Optional<LeafCache> leaves) {
    public static final PackOpener DEFAULT =
            new PackOpener(PmtilesLimits.DEFAULT, MbtilesLimits.DEFAULT, Optional.empty());

    /** For a tool that makes a pack out of another, which may be one that is not served. */
    public static final PackOpener LAX = new PackOpener(PmtilesLimits.LAX, MbtilesLimits.DEFAULT, Optional.empty());

    private static final String PMTILES = ".pmtiles";
    private static final String MBTILES = ".mbtiles";

    public Pack open(Path path) {
        String file = String.valueOf(path.getFileName());
        if (file.endsWith(PMTILES)) {
            return leaves.isPresent() ? PmtilesPack.open(path, pmtiles, leaves.get()) : PmtilesPack.open(path, pmtiles);
        }
        if (file.endsWith(MBTILES)) {
            return MbtilesPack.open(path, mbtiles);
        }
        throw new PackError(PackFault.BAD_FORMAT, file + " (expected: a name that ends in .pmtiles or .mbtiles)");
    }

    /** True for a file that says it is a pack; a hidden one is one that is still being written. */
    static boolean isPack(Path path) {
        String file = String.valueOf(path.getFileName());
        return !file.startsWith(".") && (file.endsWith(PMTILES) || file.endsWith(MBTILES));
    }

    /** A pack's name: its file's without the ending. Nothing for files that are not packs or whose name is no part of a URL. */
    static Optional<String> nameOf(Path path) {
        if (!isPack(path)) {
            return Optional.empty();
        }
        String file = String.valueOf(path.getFileName());
        String name = file.substring(0, file.length() - PMTILES.length()); // both endings are of one length
        return name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}") ? Optional.of(name) : Optional.empty();
    }
}
