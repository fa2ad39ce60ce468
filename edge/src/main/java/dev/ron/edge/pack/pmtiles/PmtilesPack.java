package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.pack.PackInfo;
import dev.ron.edge.pack.PackMetadata;
import dev.ron.edge.pack.PackSurvey;
import dev.ron.edge.pack.PackTag;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileVisitor;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.range.EntityTag;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * A PMTiles v3 archive: header, root directory and metadata are read when it is mounted, leaf directories when a tile
 * asks for them.
 */
public final class PmtilesPack implements Pack {
    /** Root and three levels of leaves, as the reference readers have it; a loop of directories ends here. */
    static final int MAX_DEPTH = 4;

    private static final String SPLIT = "ron pack convert writes smaller ones";

    private final PackFile file;
    private final PmtilesLimits limits;
    private final Header header;
    private final Directory root;
    private final PackInfo info;
    private final EntityTag tag;
    private final LeafCache leaves;
    private final long number;

    private PmtilesPack(PackFile file, PmtilesLimits limits, LeafCache leaves) {
        this.file = file;
        this.limits = limits;
        this.leaves = leaves;
        this.number = leaves.enter();
        if (file.size() < Header.BYTES) {
            throw new PackError(
                    PackFault.TRUNCATED,
                    file.name() + " has " + file.size() + " bytes (expected: at least " + Header.BYTES + ")");
        }
        byte[] headerBytes = file.read(0, Header.BYTES);
        header = new HeaderCodec(file.name(), file.size()).read(headerBytes);
        byte[] rootBytes = file.read(header.root().offset(), (int) header.root().length());
        root = decode(rootBytes, limits.maxRootBytes(), "the root directory");
        info = new PackInfo(
                "pmtiles",
                header.tileType(),
                header.tileCoding(),
                header.minZoom(),
                header.maxZoom(),
                Optional.of(header.bounds()),
                Optional.of(header.center()),
                PackMetadata.parse(metadataBytes(), file.name()));
        tag = PackTag.of(file.identity(), headerBytes, rootBytes);
    }

    /** Opens and checks an archive, or says what is wrong with it. */
    public static PmtilesPack open(Path path, PmtilesLimits limits) {
        return open(path, limits, new LeafCache(LeafCache.ALONE_BYTES));
    }

    /** The same for one of many, which keep their leaf directories in one cache. */
    public static PmtilesPack open(Path path, PmtilesLimits limits, LeafCache leaves) {
        PackFile file = PackFile.open(path);
        try {
            return new PmtilesPack(file, limits, leaves);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public PackInfo info() {
        return info;
    }

    @Override
    public PackFile file() {
        return file;
    }

    @Override
    public EntityTag tag() {
        return tag;
    }

    Header header() {
        return header;
    }

    Directory root() {
        return root;
    }

    PmtilesLimits limits() {
        return limits;
    }

    @Override
    public Optional<Tile> tile(TileCoord at) {
        if (at.z() < header.minZoom() || at.z() > header.maxZoom()) {
            return Optional.empty();
        }
        long id = TileId.of(at);
        Directory directory = root;
        for (int depth = 1; depth <= MAX_DEPTH; depth++) {
            int entry = directory.floor(id);
            if (entry < 0) {
                return Optional.empty();
            }
            if (!directory.isLeaf(entry)) {
                boolean covered = id - directory.id(entry) < directory.run(entry);
                return covered ? Optional.of(blob(directory.offset(entry), directory.length(entry))) : Optional.empty();
            }
            directory = cachedLeaf(directory.offset(entry), directory.length(entry));
        }
        throw tooDeep();
    }

    Tile blob(long offset, int length) {
        if (length > limits.maxTileBytes()) {
            throw new PackError(
                    PackFault.TOO_LARGE,
                    file.name() + ": a tile of " + length + " bytes (expected: at most " + limits.maxTileBytes() + ")");
        }
        return new Tile(file.read(header.data().offset() + offset, length), header.tileCoding());
    }

    /** Two readers that miss at once both load; better than holding the cache's lock during a read. */
    private Directory cachedLeaf(long offset, int length) {
        Directory cached = leaves.get(number, offset);
        if (cached != null) {
            return cached;
        }
        Directory loaded = leaf(offset, length);
        leaves.put(number, offset, loaded);
        return loaded;
    }

    Directory leaf(long offset, int length) {
        if (length > limits.maxStoredDirectoryBytes()) {
            throw new PackError(
                    PackFault.TOO_LARGE, file.name() + ": a leaf directory of " + length + " stored bytes; " + SPLIT);
        }
        byte[] stored = file.read(header.leaves().offset() + offset, length);
        return decode(stored, limits.maxDirectoryBytes(), "a directory (" + SPLIT + ")");
    }

    private Directory decode(byte[] stored, int maxBytes, String what) {
        byte[] plain = Unpacking.unpack(header.internalCoding(), stored, maxBytes, file.name() + ": " + what);
        return DirectoryDecoder.decode(plain, header, file.name());
    }

    @Override
    public ObjectNode metadata() {
        return PackMetadata.whole(metadataBytes(), file.name());
    }

    @Override
    public byte[] metadataText() {
        byte[] text = metadataBytes();
        PackMetadata.check(text, file.name());
        return text.length == 0 ? "{}".getBytes(StandardCharsets.US_ASCII) : text;
    }

    private byte[] metadataBytes() {
        Section section = header.metadata();
        if (section.length() > limits.maxStoredMetadataBytes()) {
            throw new PackError(PackFault.TOO_LARGE, file.name() + ": metadata of " + section.length() + " bytes");
        }
        byte[] stored = file.read(section.offset(), (int) section.length());
        return stored.length == 0
                ? stored
                : Unpacking.unpack(
                        header.internalCoding(), stored, limits.maxMetadataBytes(), file.name() + ": the metadata");
    }

    PackError tooDeep() {
        return new PackError(
                PackFault.TOO_DEEP, file.name() + ": directories nest deeper than " + MAX_DEPTH + " or form a loop");
    }

    /** Sees a blob and how many tiles in a row share it. */
    @FunctionalInterface
    public interface RunVisitor {
        void visit(long tiles, Tile tile);
    }

    /** Shows every blob once for each run of tiles that share it: a run may be of billions. */
    public void runs(RunVisitor visitor) {
        new DirectoryWalk(this, () -> false).runs(visitor);
    }

    @Override
    public void tiles(TileVisitor visitor) {
        tiles(_ -> true, visitor);
    }

    @Override
    public void tiles(Predicate<TileCoord> wanted, TileVisitor visitor) {
        new DirectoryWalk(this, () -> false).tiles(wanted, visitor);
    }

    /** Reads every directory and checks it against its neighbours and the header; for a background task. */
    public WalkReport walk(BooleanSupplier stop) {
        return new DirectoryWalk(this, stop).check();
    }

    @Override
    public PackSurvey survey(BooleanSupplier stop) {
        WalkReport report = walk(stop);
        return new PackSurvey(report.addressedTiles(), report.complete(), report.problems());
    }

    /** A header may leave its count at 0 for unknown. */
    @Override
    public OptionalLong expectedTiles() {
        return header.addressedTiles() > 0 ? OptionalLong.of(header.addressedTiles()) : OptionalLong.empty();
    }

    @Override
    public void close() {
        leaves.leave(number);
        file.close();
    }
}
