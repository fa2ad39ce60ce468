package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackMetadata;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.pack.mbtiles.MbtilesMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A folder of tiles as files {@code z/x/y.ext}, to be made into an archive; other files in it are left alone, but for a
 * {@code metadata.json} as tippecanoe, mb-util and GDAL write it: the table of an MBTiles as one object of texts.
 */
public final class TileFolder {
    private static final Pattern TILE = Pattern.compile("(\\d{1,2})/(\\d{1,10})/(\\d{1,10})\\.([a-z]+)");
    private static final String METADATA = "metadata.json";
    private static final String LAYERS = "vector_layers";
    private static final int MAX_METADATA_BYTES = 8 << 20;
    private static final int MAX_PLAIN_BYTES = 64 << 20;

    private static final int DEPTH = 3; // z/x/y

    private final Path folder;

    /** One file of the folder that is a tile. */
    private record Found(Path path, TileCoord at, TileType type) {}

    public TileFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Vector tiles are compressed with gzip unless they are already; images stay as they are. What {@code metadata} has
     * goes before what the folder says; the layers of vector tiles that nobody names are read from the tiles.
     */
    public long writeTo(Path target, ObjectNode metadata, Headway headway) throws IOException {
        TileType type;
        try (Stream<Path> files = Files.walk(folder, DEPTH)) {
            type = files.flatMap(this::tile)
                    .findFirst()
                    .map(Found::type)
                    .orElseThrow(() -> new PackError(
                            PackFault.BAD_FORMAT,
                            folder.getFileName() + " has no tiles (expected: files named z/x/y.ext)"));
        }
        try (Stream<Path> files = Files.walk(folder, DEPTH)) {
            headway.total(files.flatMap(this::tile).count());
        }
        Coding coding = type.isVector() ? Coding.GZIP : Coding.NONE;
        MbtilesMetadata said = said();
        ObjectNode all = said.whole().setAll(metadata);
        boolean layersAsked = type == TileType.MVT && all.path(LAYERS).isEmpty();
        VectorLayers layers = new VectorLayers();
        ArchiveSpec spec = new ArchiveSpec(type, coding, Coding.GZIP, said.bounds(), said.center(), all);
        try (PmtilesWriter writer = PmtilesWriter.create(target, spec);
                Stream<Path> files = Files.walk(folder, DEPTH)) {
            for (Found tile : (Iterable<Found>) files.flatMap(this::tile)::iterator) {
                if (tile.type() != type) {
                    throw new PackError(
                            PackFault.BAD_FORMAT,
                            "tile " + tile.at() + " is " + tile.type() + " (expected: " + type + " as the others)");
                }
                byte[] bytes = Files.readAllBytes(tile.path());
                boolean packed = Coding.sniff(bytes) == Coding.GZIP;
                if (layersAsked) {
                    layers.add(tile.at().z(), packed ? plain(tile, bytes) : bytes);
                }
                writer.add(tile.at(), coding == Coding.GZIP && !packed ? Packing.pack(Coding.GZIP, bytes) : bytes);
                headway.done(writer.tiles());
            }
            if (layersAsked) {
                all.set(LAYERS, layers.toJson());
            }
            writer.finish();
            return writer.tiles();
        }
    }

    private static byte[] plain(Found tile, byte[] bytes) {
        return Unpacking.unpack(Coding.GZIP, bytes, MAX_PLAIN_BYTES, "tile " + tile.at());
    }

    /** What the folder's metadata says, with its members of other shapes as parts of the JSON that it has in one. */
    private MbtilesMetadata said() throws IOException {
        Path path = folder.resolve(METADATA);
        Map<String, String> values = new HashMap<>();
        if (Files.isRegularFile(path)) {
            if (Files.size(path) > MAX_METADATA_BYTES) {
                throw new PackError(PackFault.TOO_LARGE, METADATA + " has more than " + MAX_METADATA_BYTES + " bytes");
            }
            ObjectNode whole = PackMetadata.whole(Files.readAllBytes(path), METADATA);
            ObjectNode nested = JsonNodeFactory.instance.objectNode();
            whole.forEachEntry((name, value) -> {
                if (value.isContainer()) {
                    nested.set(name, value);
                } else {
                    values.put(name, value.asString());
                }
            });
            if (!nested.isEmpty()) {
                values.putIfAbsent("json", nested.toString());
            }
        }
        return new MbtilesMetadata(values, METADATA);
    }

    private Stream<Found> tile(Path path) {
        Matcher matcher = TILE.matcher(folder.relativize(path).toString().replace('\\', '/'));
        if (!matcher.matches()) {
            return Stream.of();
        }
        long z = Long.parseLong(matcher.group(1));
        long x = Long.parseLong(matcher.group(2));
        long y = Long.parseLong(matcher.group(3));
        return TileType.ofExtension(matcher.group(4)).stream()
                .filter(_ -> TileCoord.exists(z, x, y))
                .map(type -> new Found(path, new TileCoord((int) z, (int) x, (int) y), type));
    }
}
