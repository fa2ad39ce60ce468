package dev.ron.node.cli;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.mount.PackOpener;
import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.pack.PackInfo;
import dev.ron.edge.pack.PackSurvey;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.pack.demo.DemoWorld;
import dev.ron.edge.pack.pmtiles.Conversion;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import dev.ron.edge.pack.pmtiles.TileFolder;
import dev.ron.edge.pack.pmtiles.WalkReport;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code ron pack}: looks at packs of tiles, checks them, and makes new ones; needs no running node. */
@Command(name = "pack", description = "Look at, check and make packs of tiles.")
final class PackCommand implements Runnable {
    private static final int STEP = 1 << 20;
    private static final int MOST_PLAIN = 64 << 20;

    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    @Command(name = "inspect", description = "Show what a pack says of itself.")
    int inspect(
            @Parameters(paramLabel = "FILE") Path file,
            @Option(names = "--json", description = "print JSON") boolean json) {
        try (Pack pack = PackOpener.DEFAULT.open(file)) {
            Map<String, Object> facts = facts(pack);
            if (json) {
                Json.print(out(), facts);
            } else {
                Table table = new Table();
                facts.forEach((name, value) -> table.row(name, String.valueOf(value)));
                out().print(table);
            }
            return ExitCode.OK.code();
        }
    }

    private static Map<String, Object> facts(Pack pack) {
        PackInfo info = pack.info();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("file", pack.file().name());
        facts.put("kind", info.kind());
        facts.put("bytes", pack.file().size());
        facts.put("tile_type", info.type().extension());
        facts.put("tile_coding", info.coding().isCompressed() ? info.coding().contentCoding() : "none");
        facts.put("min_zoom", info.minZoom());
        facts.put("max_zoom", info.maxZoom());
        Bounds box = info.bounds();
        facts.put("bounds", List.of(box.west(), box.south(), box.east(), box.north()));
        info.center()
                .ifPresent(
                        center -> facts.put("center", List.of(center.longitude(), center.latitude(), center.zoom())));
        for (String name : List.of("name", "description", "attribution", "version")) {
            String value = info.description().path(name).asString("");
            if (!value.isEmpty()) {
                facts.put(name, value);
            }
        }
        facts.put(
                "layers",
                info.description()
                        .path("vector_layers")
                        .valueStream()
                        .map(layer -> layer.path("id").asString(""))
                        .toList());
        return facts;
    }

    @Command(
            name = "verify",
            description = "Check every directory, read and unpack every tile; exit code 1 when something is wrong.")
    int verify(
            @Parameters(paramLabel = "FILE") Path file,
            @Option(names = "--json", description = "print JSON") boolean json) {
        Map<String, Object> facts = new LinkedHashMap<>();
        List<String> problems;
        try (Pack pack = PackOpener.DEFAULT.open(file)) {
            problems = survey(pack, facts);
        } catch (PackError e) {
            if (!json) {
                throw new Stop(ExitCode.NO, file + " is not good", e.detail(), "fetch or make it again");
            }
            problems = List.of(e.detail());
        }
        facts.put("problems", problems);
        facts.put("ok", problems.isEmpty());
        if (json) {
            Json.print(out(), facts);
        } else {
            say(facts, problems);
        }
        return problems.isEmpty() ? ExitCode.OK.code() : ExitCode.NO.code();
    }

    /** Reads everything there is, notes what was seen, and answers what is wrong with it. */
    private List<String> survey(Pack pack, Map<String, Object> facts) {
        List<String> problems;
        if (pack instanceof PmtilesPack archive) {
            WalkReport report = archive.walk(() -> false);
            problems = report.problems();
            facts.put("directories", report.directories());
            facts.put("entries", report.entries());
            facts.put("tiles", report.addressedTiles());
            facts.put("min_zoom", report.minZoom());
            facts.put("max_zoom", report.maxZoom());
        } else {
            PackSurvey survey = pack.survey(() -> false);
            problems = survey.problems();
            facts.put("tiles", survey.tiles());
        }
        Tiles tiles = readAll(pack);
        facts.put("tiles_read", tiles.read);
        facts.put("digest", "b3:" + digest(pack.file()));
        return tiles.broken == 0
                ? problems
                : plus(problems, tiles.broken + " of them do not unpack, the first: " + tiles.first);
    }

    private void say(Map<String, Object> facts, List<String> problems) {
        if (facts.containsKey("directories")) {
            out().println(facts.get("directories") + " directories, " + facts.get("entries") + " entries, "
                    + facts.get("tiles") + " tiles, zoom " + facts.get("min_zoom") + " to " + facts.get("max_zoom"));
        } else {
            out().println(facts.get("tiles") + " tiles");
        }
        out().println(facts.get("tiles_read") + " tiles read, " + facts.get("digest"));
        problems.forEach(problem -> out().println("problem: " + problem));
        out().println(problems.isEmpty() ? "good" : "readable, with problems");
    }

    private static List<String> plus(List<String> problems, String one) {
        List<String> all = new ArrayList<>(problems);
        all.add(one);
        return all;
    }

    /** What was seen of a pack's tiles. */
    private static final class Tiles {
        private final TileType type;
        private long read;
        private long broken;
        private String first = "";

        Tiles(TileType type) {
            this.type = type;
        }

        /** A server sends a coded tile as it is: what its clients would find is found here. */
        void add(long tiles, Tile tile) {
            read += tiles;
            Coding coding = tile.coding().in(type);
            if (coding.isCompressed()) {
                try {
                    Unpacking.unpack(coding, tile.bytes(), MOST_PLAIN, "a tile");
                } catch (PackError e) {
                    first = broken == 0 ? e.detail() : first;
                    broken++;
                }
            }
        }
    }

    private Tiles readAll(Pack pack) {
        Tiles seen = new Tiles(pack.info().type());
        try (Progress progress = new Progress(spec, "tiles read")) {
            pack.expectedTiles().ifPresent(progress::total);
            if (pack instanceof PmtilesPack archive) {
                archive.runs((tiles, tile) -> {
                    seen.add(tiles, tile);
                    progress.done(seen.read);
                });
            } else {
                pack.tiles((at, tile) -> {
                    seen.add(1, tile);
                    progress.done(seen.read);
                    return true;
                });
            }
        }
        return seen;
    }

    private static String digest(PackFile file) {
        Blake3 hash = new Blake3();
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(STEP, Math.max(1, file.size())));
        for (long at = 0; at < file.size(); at += piece.limit()) {
            piece.clear().limit((int) Math.min(piece.capacity(), file.size() - at));
            file.read(at, piece);
            hash.update(piece.flip());
        }
        return hash.finish().hex();
    }

    @Command(name = "convert", description = "Write a pack (MBTiles or PMTiles) as PMTiles, all of it or a part.")
    int convert(
            @Parameters(paramLabel = "FROM") Path from,
            @Parameters(paramLabel = "TO.pmtiles") Path to,
            @Option(names = "--bbox", paramLabel = "W,S,E,N", description = "only tiles that touch this box") @Nullable
                    String box)
            throws IOException {
        return write(to, "tiles written", (target, progress) -> {
            try (Pack pack = PackOpener.LAX.open(from)) {
                Conversion conversion = Conversion.of(pack);
                return (box == null ? conversion : conversion.within(bounds(box))).writeTo(target, progress);
            }
        });
    }

    @Command(name = "extract", description = "Write the part of a pack that touches a box.")
    int extract(
            @Parameters(paramLabel = "FROM") Path from,
            @Parameters(paramLabel = "TO.pmtiles") Path to,
            @Option(names = "--bbox", paramLabel = "W,S,E,N", required = true, description = "the box in degrees")
                    String box)
            throws IOException {
        return convert(from, to, box);
    }

    @Command(name = "create", description = "Make a pack from a folder of z/x/y.ext files.")
    int create(
            @Parameters(paramLabel = "FOLDER") Path folder,
            @Parameters(paramLabel = "TO.pmtiles") Path to,
            @Option(names = "--name", paramLabel = "TEXT", description = "the pack's title") @Nullable String name)
            throws IOException {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        if (name != null) {
            metadata.put("name", name);
        }
        return write(
                to, "tiles written", (target, progress) -> new TileFolder(folder).writeTo(target, metadata, progress));
    }

    @Command(name = "demo", description = "Write the demo world, a planet that does not exist.")
    int demo(@Parameters(paramLabel = "TO.pmtiles") Path to) throws IOException {
        return write(to, "tiles written", new DemoWorld()::write);
    }

    private static Bounds bounds(String text) {
        String[] parts = text.split(",", -1);
        try {
            if (parts.length == 4) {
                Bounds box = new Bounds(
                        Double.parseDouble(parts[0]),
                        Double.parseDouble(parts[1]),
                        Double.parseDouble(parts[2]),
                        Double.parseDouble(parts[3]));
                if (box.west() < box.east() && box.south() < box.north()) {
                    return box;
                }
            }
        } catch (IllegalArgumentException _) {
            // told below
        }
        throw new Stop(
                ExitCode.USAGE,
                "--bbox " + text,
                "is not a box",
                "write west,south,east,north in degrees: 5.9,45.8,10.5,47.8");
    }

    /** What writes a pack and says how many tiles that were. */
    @FunctionalInterface
    private interface Writer {
        long write(Path target, Progress progress) throws IOException;
    }

    /** Beside its place, then by rename: a server that follows the folder never sees half a pack. */
    private int write(Path to, String what, Writer writer) throws IOException {
        String name = String.valueOf(to.getFileName());
        if (!name.endsWith(".pmtiles")) {
            throw new Stop(ExitCode.USAGE, to.toString(), "is not the name of a pack to write", "end it in .pmtiles");
        }
        Path folder = to.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Path half = to.resolveSibling("." + name + ".part");
        long tiles;
        try (Progress progress = new Progress(spec, what)) {
            tiles = writer.write(half, progress);
            Files.move(half, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
        out().printf(Locale.ROOT, "%s: %d tiles, %d bytes%n", to, tiles, Files.size(to));
        return ExitCode.OK.code();
    }
}
