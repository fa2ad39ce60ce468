package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** A folder of tiles as files {@code z/x/y.ext}, to be made into an archive; other files in it are left alone. */
public final class TileFolder {
    private static final Pattern TILE = Pattern.compile("(\\d{1,2})/(\\d{1,10})/(\\d{1,10})\\.([a-z]+)");

    private final Path folder;

    /** One file of the folder that is a tile. */
    private record Found(Path path, TileCoord at, TileType type) {}

    public TileFolder(Path folder) {
        this.folder = folder;
    }

    /** Vector tiles are compressed with gzip unless they are already; images stay as they are. */
    public long writeTo(Path target, ObjectNode metadata, Headway headway) throws IOException {
        List<Found> tiles;
        try (Stream<Path> files = Files.walk(folder, 3)) {
            tiles = files.flatMap(this::parse).toList();
        }
        if (tiles.isEmpty()) {
            throw new PackError(
                    PackFault.BAD_FORMAT, folder.getFileName() + " has no tiles (expected: files named z/x/y.ext)");
        }
        headway.total(tiles.size());
        TileType type = tiles.getFirst().type();
        Coding coding = type.isVector() ? Coding.GZIP : Coding.NONE;
        try (PmtilesWriter writer = PmtilesWriter.create(target, ArchiveSpec.of(type, coding, metadata))) {
            for (Found tile : tiles) {
                if (tile.type() != type) {
                    throw new PackError(
                            PackFault.BAD_FORMAT,
                            "tile " + tile.at() + " is " + tile.type() + " (expected: " + type + " as the others)");
                }
                byte[] bytes = Files.readAllBytes(tile.path());
                boolean pack = coding == Coding.GZIP && Coding.sniff(bytes) != Coding.GZIP;
                writer.add(tile.at(), pack ? Packing.pack(Coding.GZIP, bytes) : bytes);
                headway.done(writer.tiles());
            }
            writer.finish();
            return writer.tiles();
        }
    }

    private Stream<Found> parse(Path path) {
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
