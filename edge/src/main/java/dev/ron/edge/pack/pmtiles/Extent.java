package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Mercator;
import dev.ron.edge.pack.TileCoord;

/** The box around the tiles of the deepest zoom seen so far. */
final class Extent {
    private int minZoom = TileCoord.MAX_ZOOM;
    private int maxZoom = -1;
    private int minX;
    private int maxX;
    private int minY;
    private int maxY;

    void add(TileCoord tile) {
        minZoom = Math.min(minZoom, tile.z());
        if (tile.z() > maxZoom) {
            maxZoom = tile.z();
            minX = tile.x();
            maxX = tile.x();
            minY = tile.y();
            maxY = tile.y();
        } else if (tile.z() == maxZoom) {
            minX = Math.min(minX, tile.x());
            maxX = Math.max(maxX, tile.x());
            minY = Math.min(minY, tile.y());
            maxY = Math.max(maxY, tile.y());
        }
    }

    int minZoom() {
        return minZoom;
    }

    int maxZoom() {
        return maxZoom;
    }

    Bounds bounds() {
        return new Bounds(
                Mercator.longitude(maxZoom, minX),
                Mercator.latitude(maxZoom, maxY + 1.0),
                Mercator.longitude(maxZoom, maxX + 1.0),
                Mercator.latitude(maxZoom, minY));
    }

    static Center centerOf(Bounds bounds, int zoom) {
        double east = bounds.east() < bounds.west() ? bounds.east() + 360 : bounds.east(); // across the antimeridian
        double middle = (bounds.west() + east) / 2;
        return new Center(middle > 180 ? middle - 360 : middle, (bounds.south() + bounds.north()) / 2, zoom);
    }
}
