package dev.ron.edge.pack;

/** Where a map of the pack opens. */
public record Center(double longitude, double latitude, int zoom) {

    /** True for a place on the map at a zoom that there is. */
    public boolean fits(int minZoom, int maxZoom) {
        return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 && zoom >= minZoom && zoom <= maxZoom;
    }
}
