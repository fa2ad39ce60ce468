package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.http.json.StrictJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * Makes a PMTiles v3 archive: clustered, equal tiles stored once, runs of equal tiles as one entry, leaf directories
 * where the root would not fit.
 *
 * <p>Tiles may come in any order. Their bytes wait in a file beside the target; {@link #finish} knows the order and
 * writes header, root, metadata, leaves and data in one go into a second file, which then takes the target's name. Until
 * that rename the target is untouched. In memory it keeps columns of numbers, for as many tiles as there is room for.
 */
public final class PmtilesWriter implements AutoCloseable {
    /** At its peak, when the directories are made: its own columns, its entry, and that as bytes. */
    private static final long BYTES_PER_TILE = 72;

    private static final long BYTES_PER_BLOB = 32;
    private static final int MOST = 1 << 30; // what arrays can hold

    private final Path target;
    private final Path part;
    private final ArchiveSpec spec;
    private final BlobStaging staging;
    private final Extent extent = new Extent();
    private long[] ids = new long[1024];
    private int[] blobs = new int[1024];
    private final long budgetBytes;
    private int size;
    private boolean ascending = true;
    private byte[] last = {};

    private PmtilesWriter(Path target, ArchiveSpec spec, long budgetBytes) throws IOException {
        this.target = target;
        this.spec = spec;
        this.budgetBytes = budgetBytes;
        this.part = target.resolveSibling(target.getFileName() + ".part");
        Files.deleteIfExists(part); // of an earlier run that was killed
        this.staging = new BlobStaging(target.resolveSibling(target.getFileName() + ".tiles.part"));
    }

    /** A writer that may have two thirds of the heap; the rest is for the tiles that come, and for arrays that grow. */
    public static PmtilesWriter create(Path target, ArchiveSpec spec) throws IOException {
        return create(target, spec, Runtime.getRuntime().maxMemory() / 3 * 2);
    }

    static PmtilesWriter create(Path target, ArchiveSpec spec, long budgetBytes) throws IOException {
        return new PmtilesWriter(target, spec, budgetBytes);
    }

    /** Adds one tile; its bytes are in the coding the archive was made for. */
    public void add(TileCoord at, byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return; // an empty tile and no tile look the same to every reader
        }
        if (size == MOST || BYTES_PER_TILE * size + BYTES_PER_BLOB * staging.size() > budgetBytes) {
            throw new PackError(
                    PackFault.TOO_LARGE,
                    target.getFileName() + ": more than " + size + " tiles, for which this program has no memory;"
                            + " RON_HEAP gives it more");
        }
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size + (size >> 1));
            blobs = Arrays.copyOf(blobs, ids.length);
        }
        long id = TileId.of(at);
        ascending &= size == 0 || ids[size - 1] < id;
        ids[size] = id;
        // Runs of equal tiles are common (sea, desert); comparing with the one before is cheaper than hashing it.
        blobs[size] = Arrays.equals(bytes, last) ? blobs[size - 1] : staging.add(bytes);
        last = bytes;
        size++;
        extent.add(at);
    }

    public int tiles() {
        return size;
    }

    /** Writes the archive and gives it its name. */
    public void finish() throws IOException {
        if (size == 0) {
            throw new PackError(PackFault.BAD_DIRECTORY, target.getFileName() + ": no tiles, nothing to write");
        }
        staging.seal();
        sort();
        int[] order = new int[staging.size()];
        Directory all = cluster(order);
        Coding coding = spec.internalCoding();
        DirectoryTree tree = DirectoryTree.of(all, coding);
        byte[] metadata = Packing.pack(coding, new StrictJson().write(spec.metadata()));
        Header header = header(all.size(), tree, metadata.length, order.length);
        try (FileChannel out = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            write(out, HeaderCodec.write(header));
            write(out, tree.root());
            write(out, metadata);
            write(out, tree.leaves());
            staging.copyTo(out, order);
            out.force(true);
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void sort() {
        if (!ascending) {
            // A heap sort: two columns at once, in their place.
            for (int root = size / 2 - 1; root >= 0; root--) {
                sift(root, size);
            }
            for (int end = size - 1; end > 0; end--) {
                swap(0, end);
                sift(0, end);
            }
        }
        for (int i = 1; i < size; i++) {
            if (ids[i] == ids[i - 1]) {
                throw new PackError(
                        PackFault.BAD_DIRECTORY,
                        target.getFileName() + ": tile " + TileId.toTile(ids[i]) + " was added twice");
            }
        }
    }

    private void sift(int from, int end) {
        int root = from;
        for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
            if (child + 1 < end && ids[child + 1] > ids[child]) {
                child++;
            }
            if (ids[root] >= ids[child]) {
                return;
            }
            swap(root, child);
            root = child;
        }
    }

    private void swap(int i, int j) {
        long id = ids[i];
        ids[i] = ids[j];
        ids[j] = id;
        int blob = blobs[i];
        blobs[i] = blobs[j];
        blobs[j] = blob;
    }

    /** How many entries there will be: tiles in a row that have the same blob share one. */
    private int runs() {
        int runs = 1;
        for (int i = 1; i < size; i++) {
            runs += ids[i] == ids[i - 1] + 1 && blobs[i] == blobs[i - 1] ? 0 : 1;
        }
        return runs;
    }

    /** The entries with their final offsets: each blob at its first use, in order of tiles. */
    private Directory cluster(int[] order) {
        long[] placed = new long[staging.size()];
        Arrays.fill(placed, -1);
        Entries entries = new Entries(runs());
        long end = 0;
        int next = 0;
        for (int i = 0; i < size; i++) {
            int blob = blobs[i];
            int length = staging.length(blob);
            if (placed[blob] < 0) {
                placed[blob] = end;
                end += length;
                order[next++] = blob;
            }
            entries.addOrExtend(ids[i], length, placed[blob]);
        }
        return entries.directory();
    }

    private Header header(int entries, DirectoryTree tree, int metadataBytes, int contents) {
        Section root = new Section(Header.BYTES, tree.root().length);
        Section metadata = new Section(root.offset() + root.length(), metadataBytes);
        Section leaves = new Section(metadata.offset() + metadata.length(), tree.leaves().length);
        long dataBytes = 0;
        for (int i = 0; i < contents; i++) {
            dataBytes += staging.length(i);
        }
        Section data = new Section(leaves.offset() + leaves.length(), dataBytes);
        Optional<Bounds> named = spec.bounds().filter(box -> box.plain().isPresent());
        Bounds bounds = named.flatMap(Bounds::plain).orElseGet(extent::bounds);
        return new Header(
                root,
                metadata,
                leaves,
                data,
                size,
                entries,
                contents,
                true,
                spec.internalCoding(),
                spec.tileCoding(),
                spec.type(),
                extent.minZoom(),
                extent.maxZoom(),
                bounds,
                spec.center()
                        .filter(at -> at.fits(extent.minZoom(), extent.maxZoom()))
                        .orElseGet(() -> Extent.centerOf(named.orElse(bounds), extent.minZoom())));
    }

    private static void write(FileChannel out, byte[] bytes) throws IOException {
        for (ByteBuffer buffer = ByteBuffer.wrap(bytes); buffer.hasRemaining(); ) {
            out.write(buffer);
        }
    }

    /** Removes what was staged; without {@link #finish} before it, nothing remains. */
    @Override
    public void close() throws IOException {
        staging.close();
        Files.deleteIfExists(part);
    }
}
