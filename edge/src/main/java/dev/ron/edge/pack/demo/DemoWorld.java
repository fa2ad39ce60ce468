package dev.ron.edge.pack.demo;

import dev.ron.edge.pack.Coding;
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
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A made-up planet with layers water, land, roads and places; the same on every machine. */
public final class DemoWorld {
    public static final int MAX_ZOOM = 6;

    private static final long SEED = 2026;
    private static final int MOST_POINTS = 4096;

    private final List<Continent> continents = new ArrayList<>();

    /** Rings of all coasts at the detail of one zoom. */
    private record Outlines(List<Ring> land, List<Ring> lakes) {}

    public DemoWorld() {
        Random random = new Random(SEED);
        Names names = new Names(random);
        continents.add(Continent.grow(new Point(0.22, 0.36), 0.110, names, random));
        continents.add(Continent.grow(new Point(0.33, 0.66), 0.085, names, random));
        continents.add(Continent.grow(new Point(0.56, 0.38), 0.120, names, random));
        continents.add(Continent.grow(new Point(0.62, 0.68), 0.060, names, random));
        continents.add(Continent.grow(new Point(0.84, 0.42), 0.095, names, random));
        continents.add(Continent.grow(new Point(0.85, 0.71), 0.055, names, random));
    }

    /** Writes zooms 0 to 6 as one archive. */
    public void write(Path target) throws IOException {
        try (PmtilesWriter writer =
                PmtilesWriter.create(target, ArchiveSpec.of(TileType.MVT, Coding.GZIP, metadata()))) {
            Outlines finest = finest();
            for (int z = 0; z <= MAX_ZOOM; z++) {
                Outlines outlines = outlines(finest, z);
                for (int x = 0; x < 1 << z; x++) {
                    for (int y = 0; y < 1 << z; y++) {
                        TileCoord at = new TileCoord(z, x, y);
                        writer.add(at, Packing.pack(Coding.GZIP, draw(at, outlines)));
                    }
                }
            }
            writer.finish();
        }
    }

    /** Lower zooms use every second, fourth, ... point of the finest outlines: the waves are summed once. */
    private static Outlines outlines(Outlines finest, int zoom) {
        int step = Math.max(1, MOST_POINTS / (128 << zoom));
        return new Outlines(
                finest.land().stream().map(ring -> ring.every(step)).toList(),
                finest.lakes().stream().map(ring -> ring.every(step)).toList());
    }

    private Outlines finest() {
        return new Outlines(
                continents.stream().map(c -> c.coast().ring(MOST_POINTS)).toList(),
                continents.stream()
                        .flatMap(c -> c.lakes().stream())
                        .map(lake -> lake.ring(MOST_POINTS / 8))
                        .toList());
    }

    private byte[] draw(TileCoord at, Outlines outlines) {
        Window window = new Window(at);
        Layer water = new Layer("water");
        Layer land = new Layer("land");
        Layer roads = new Layer("roads");
        Layer places = new Layer("places");
        water.add(Shape.polygon(Window.everything()), Map.of("class", "ocean"));
        outlines.land().forEach(ring -> land.add(Shape.polygon(window.cut(ring)), Map.of("class", "land")));
        outlines.lakes().forEach(ring -> water.add(Shape.polygon(window.cut(ring)), Map.of("class", "lake")));
        for (Continent continent : continents) {
            for (Road road : continent.roads()) {
                if (road.fromZoom() <= at.z()) {
                    roads.add(Shape.lines(window.line(road.line())), Map.of("class", road.kind()));
                }
            }
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
