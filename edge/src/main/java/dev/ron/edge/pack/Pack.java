package dev.ron.edge.pack;

import dev.ron.edge.range.EntityTag;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/** A mounted archive of tiles. Its reads touch the disk: call them on a lane, never on an event loop. */
public interface Pack extends AutoCloseable {

    PackInfo info();

    /** The file behind it, for the raw URL. */
    PackFile file();

    /**
     * The tag of the archive as one object, known from the first request on and made from its identity (size, first
     * bytes, which file it is), because a digest of the whole would come late and change under a range reader.
     */
    EntityTag tag();

    /** All that it says of itself as JSON, read anew; its info has what is served. */
    ObjectNode metadata();

    /** The same as text, as it is in the file where it is JSON there. */
    default byte[] metadataText() {
        return metadata().toString().getBytes(StandardCharsets.UTF_8);
    }

    /** One tile, or nothing where the pack has none. */
    Optional<Tile> tile(TileCoord at);

    /** Shows every tile, in the pack's own order. */
    void tiles(TileVisitor visitor);

    /** Shows the tiles that are wanted; it asks of every tile, where it can before the tile is read. */
    default void tiles(Predicate<TileCoord> wanted, TileVisitor visitor) {
        tiles((at, tile) -> !wanted.test(at) || visitor.visit(at, tile));
    }

    /** Looks at every address, not at the tiles themselves; {@code stop} breaks it off. */
    PackSurvey survey(BooleanSupplier stop);

    /** How many tiles {@link #tiles} will show, if that can be told without looking at each. */
    OptionalLong expectedTiles();

    @Override
    void close();
}
