package dev.ron.edge.pack;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What a pack says of itself; the description is its metadata as JSON, for TileJSON to pick from. */
public record PackInfo(
        String kind,
        TileType type,
        Coding coding,
        int minZoom,
        int maxZoom,
        Bounds bounds,
        Optional<Center> center,
        ObjectNode description) {}
