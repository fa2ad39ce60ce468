package dev.ron.edge.pack.pmtiles;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The layers of Mapbox vector tiles and the zooms they are seen at, found by looking at the tiles. */
final class VectorLayers {
    private static final int LAYER = 3; // the fields' numbers in the specification
    private static final int NAME = 1;
    private static final int MOST = 1000;
    private static final int MAX_NAME_BYTES = 1024;

    private final Map<String, Zooms> seen = new TreeMap<>();

    private record Zooms(int min, int max) {
        Zooms and(Zooms other) {
            return new Zooms(Math.min(min, other.min), Math.max(max, other.max));
        }
    }

    /** Notes the layers of a tile, which is not compressed; what is no vector tile has none. */
    void add(int zoom, byte[] tile) {
        ByteBuffer rest = ByteBuffer.wrap(tile);
        try {
            for (Optional<ByteBuffer> layer = next(rest, LAYER); layer.isPresent(); layer = next(rest, LAYER)) {
                next(layer.get(), NAME).ifPresent(name -> note(name, zoom));
            }
        } catch (BufferUnderflowException _) {
            // it ends before what it promises
        }
    }

    private void note(ByteBuffer name, int zoom) {
        String id = StandardCharsets.UTF_8.decode(name).toString();
        if (name.limit() <= MAX_NAME_BYTES && (seen.size() < MOST || seen.containsKey(id))) {
            seen.merge(id, new Zooms(zoom, zoom), Zooms::and);
        }
    }

    /** As PMTiles and TileJSON want them; which fields they have is not known. */
    ArrayNode toJson() {
        ArrayNode layers = JsonNodeFactory.instance.arrayNode();
        seen.forEach((id, zooms) -> layers.addObject()
                .put("id", id)
                .put("minzoom", zooms.min())
                .put("maxzoom", zooms.max())
                .putObject("fields"));
        return layers;
    }

    /** The next field of this number that has bytes; the buffer is then behind it. */
    private static Optional<ByteBuffer> next(ByteBuffer in, int field) {
        while (in.hasRemaining()) {
            long tag = varint(in);
            long length = switch ((int) tag & 7) {
                case 0 -> {
                    long _ = varint(in);
                    yield 0;
                }
                case 1 -> 8;
                case 2 -> varint(in);
                case 5 -> 4;
                default -> -1;
            };
            if (length < 0 || length > in.remaining()) {
                throw new BufferUnderflowException();
            }
            ByteBuffer value = in.slice(in.position(), (int) length);
            in.position(in.position() + (int) length);
            if (tag == (field << 3 | 2)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new BufferUnderflowException();
    }
}
