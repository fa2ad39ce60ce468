package dev.ron.edge.pack;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a pack says of itself.
 *
 * @param area the box it names, if it names one
 * @param center dropped where it is no place on the map, or at a zoom that the pack does not have
 * @param description its metadata as JSON, for TileJSON to pick from
 */
public record PackInfo(
        String kind,
        TileType type,
        Coding coding,
        int minZoom,
        int maxZoom,
        Optional<Bounds> area,
        Optional<Center> center,
        ObjectNode description) {

    public PackInfo {
        center = center.filter(at -> at.fits(minZoom, maxZoom));
    }

    /** The box it names, as clients take it, or the world. */
    public Bounds bounds() {
        return area.flatMap(Bounds::plain).orElse(Bounds.WORLD);
    }
}
