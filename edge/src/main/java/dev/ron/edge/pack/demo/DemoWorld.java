package dev.ron.edge.pack.demo;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Headway;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import dev.ron.edge.pack.pmtiles.ArchiveSpec;
import dev.ron.edge.pack.pmtiles.PmtilesWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A made-up planet with layers water, land, roads and places; the same on every machine. */
public final class DemoWorld {
    public static final int MAX_ZOOM = 6;

    private static final long TILES = ((1L << (2 * (MAX_ZOOM + 1))) - 1) / 3; // 1 + 4 + 16 + ...

    private static final long SEED = 2026;
    private static final int MOST_POINTS = 2048;

    private static final int LEAST = 100; // of a tile's width
    private static final int ISLES = 60;

    private final List<Continent> continents = new ArrayList<>();
    private final List<Relief> reliefs = new ArrayList<>();

    /** Areas of the whole world, or of one column of tiles, at the detail of one zoom; drawn in this order. */
    private record Areas(List<Relief.Area> sea, List<Relief.Area> land, List<Relief.Area> lakes) {

        /** Without what would be a speck. */
        Areas widerThan(double least) {
            return filter(
                    area -> area.outline().most().x() - area.outline().least().x() > least);
        }

        private Areas filter(Predicate<Relief.Area> keep) {
            return new Areas(
                    sea.stream().filter(keep).toList(),
                    land.stream().filter(keep).toList(),
                    lakes.stream().filter(keep).toList());
        }

        Areas within(double west, double east) {
            return filter(area ->
                    area.outline().most().x() >= west && area.outline().least().x() <= east);
        }

        Areas map(UnaryOperator<Relief.Area> change) {
            return new Areas(
                    sea.stream().map(change).toList(),
                    land.stream().map(change).toList(),
                    lakes.stream().map(change).toList());
        }
    }

    public DemoWorld() {
        Random random = new Random(SEED);
        Names names = new Names(random);
        double[][] lands = {
            {0.20, 0.36, 0.105},
            {0.31, 0.62, 0.080},
            {0.53, 0.36, 0.115},
            {0.60, 0.64, 0.065},
            {0.81, 0.41, 0.095},
            {0.84, 0.67, 0.055}
        };
        for (double[] land : lands) {
            continents.add(Continent.grow(new Point(land[0], land[1]), land[2], MOST_POINTS, names, random));
        }
        while (reliefs.size() < ISLES) {
            Point at = new Point(0.03 + 0.94 * random.nextDouble(), 0.22 + 0.56 * random.nextDouble());
            if (Stream.of(lands).anyMatch(land -> at.distance(new Point(land[0], land[1])) < 1.4 * land[2])) {
                continue;
            }
            double size = 0.0025 + 0.012 * StrictMath.pow(random.nextDouble(), 3);
            reliefs.add(Relief.of(new Coast(at, size, 0.35, random), MOST_POINTS / 8, random));
        }
        continents.forEach(continent -> reliefs.add(continent.relief()));
    }

    /** Writes zooms 0 to 6 as one archive. */
    public void write(Path target) throws IOException {
        write(target, Headway.UNHEARD);
    }

    /** Writes it and returns how many tiles that were. */
    public long write(Path target, Headway headway) throws IOException {
        headway.total(TILES);
        try (PmtilesWriter writer =
                PmtilesWriter.create(target, ArchiveSpec.of(TileType.MVT, Coding.GZIP, metadata()))) {
            Areas finest = finest();
            for (int z = 0; z <= MAX_ZOOM; z++) {
                // Lower zooms use every second, fourth, ... point of the finest outlines: those are worked out once.
                int step = Math.max(1, MOST_POINTS / (64 << z));
                Areas areas = finest.widerThan(1.0 / (LEAST << z)).map(area -> area.every(step));
                for (int x = 0; x < 1 << z; x++) {
                    Areas column = column(areas, z, x);
                    for (int y = 0; y < 1 << z; y++) {
                        TileCoord at = new TileCoord(z, x, y);
                        writer.add(at, Packing.pack(Coding.GZIP, draw(at, column)));
                        headway.done(writer.tiles());
                    }
                }
            }
            writer.finish();
            return writer.tiles();
        }
    }

    private Areas finest() {
        return new Areas(
                reliefs.stream().flatMap(relief -> relief.sea().stream()).toList(),
                reliefs.stream().flatMap(relief -> relief.land().stream()).toList(),
                continents.stream()
                        .flatMap(continent -> continent.lakes().stream())
                        .map(lake -> new Relief.Area("lake", lake))
                        .toList());
    }

    /** One column of tiles with a margin: cut once, so that each of its tiles has little left to cut. */
    private static Areas column(Areas areas, int zoom, int x) {
        double width = 1.0 / (1 << zoom);
        double west = (x - 0.1) * width;
        double east = (x + 1.1) * width;
        return areas.within(west, east)
                .map(area -> new Relief.Area(area.kind(), area.outline().between(west, east)));
    }

    private byte[] draw(TileCoord at, Areas areas) {
        Window window = new Window(at);
        Layer water = new Layer("water");
        Layer land = new Layer("land");
        Layer roads = new Layer("roads");
        Layer places = new Layer("places");
        water.add(Shape.polygon(Window.everything()), Map.of("class", "ocean"));
        add(areas.sea(), water, window);
        add(areas.land(), land, window);
        add(areas.lakes(), water, window);
        for (Continent continent : continents) {
            lines(continent.rivers(), water, window, at.z());
            lines(continent.roads(), roads, window, at.z());
            for (Place place : continent.places()) {
                Point local = window.local(place.at());
                if (place.fromZoom() <= at.z() && window.contains(local)) {
                    places.add(Shape.point(local), attributes(place));
                }
            }
        }
        Proto tile = new Proto();
        for (Layer layer : List.of(water, land, roads, places)) {
            if (!layer.isEmpty()) {
                tile.message(3, layer.encode());
            }
        }
        return tile.toBytes();
    }

    private static void add(List<Relief.Area> areas, Layer layer, Window window) {
        areas.forEach(area -> layer.add(Shape.polygon(window.cut(area.outline())), Map.of("class", area.kind())));
    }

    private static void lines(List<Road> lines, Layer layer, Window window, int zoom) {
        for (Road line : lines) {
            if (line.fromZoom() <= zoom) {
                layer.add(Shape.lines(window.line(line.line())), Map.of("class", line.kind()));
            }
        }
    }

    /** In a fixed order, which Map.of does not keep from run to run. */
    private static Map<String, Object> attributes(Place place) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("name", place.name());
        attributes.put("class", place.kind());
        attributes.put("rank", place.rank());
        return attributes;
    }

    private static ObjectNode metadata() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("name", "Demo world");
        json.put("description", "A planet that does not exist, made by `ron pack demo`");
        json.put("attribution", "RON demo world");
        json.put("version", "1");
        json.put("type", "baselayer");
        var layers = json.putArray("vector_layers");
        for (String id : List.of("water", "land", "roads")) {
            layers.addObject().put("id", id).putObject("fields").put("class", "String");
        }
        layers.addObject()
                .put("id", "places")
                .putObject("fields")
                .put("name", "String")
                .put("class", "String")
                .put("rank", "Number");
        return json;
    }
}
