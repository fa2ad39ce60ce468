package dev.ron.edge.serve;

import dev.ron.edge.pack.TileCoord;
import org.jspecify.annotations.Nullable;

/** A tile as its URL names it; strict, so that a tile has one URL. */
record TilePath(TileCoord at, String extension) {

    /** Null where there can be no such tile: signs, leading zeros, numbers beyond the zoom's. */
    static @Nullable TilePath of(String z, String x, String last) {
        int dot = last.indexOf('.');
        if (dot < 1) {
            return null;
        }
        int zoom = number(z, 0, z.length());
        int column = number(x, 0, x.length());
        int row = number(last, 0, dot);
        if (zoom < 0 || column < 0 || row < 0 || !TileCoord.exists(zoom, column, row)) {
            return null;
        }
        return new TilePath(new TileCoord(zoom, column, row), last.substring(dot + 1));
    }

    /** Plain decimal digits; -1 for anything else. */
    private static int number(String text, int start, int end) {
        int digits = end - start;
        if (digits < 1 || digits > 10 || (digits > 1 && text.charAt(start) == '0')) {
            return -1;
        }
        long value = 0;
        for (int i = start; i < end; i++) {
            char ch = text.charAt(i);
            if (ch < '0' || ch > '9') {
                return -1;
            }
            value = 10 * value + (ch - '0');
        }
        return value > Integer.MAX_VALUE ? -1 : (int) value;
    }
}
