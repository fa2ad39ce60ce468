package dev.ron.edge.pack;

import java.util.Optional;

/** What a tile's bytes are, once their coding is undone; the numbers are PMTiles'. */
public enum TileType {
    UNKNOWN(0, "application/octet-stream", "bin", "bin"),
    MVT(1, "application/vnd.mapbox-vector-tile", "mvt", "pbf"),
    PNG(2, "image/png", "png", "png"),
    JPEG(3, "image/jpeg", "jpg", "jpeg"),
    WEBP(4, "image/webp", "webp", "webp"),
    AVIF(5, "image/avif", "avif", "avif"),
    MLT(6, "application/vnd.maplibre-tile", "mlt", "mlt");

    private final int number;
    private final String mediaType;
    private final String extension;
    private final String alias;

    TileType(int number, String mediaType, String extension, String alias) {
        this.number = number;
        this.mediaType = mediaType;
        this.extension = extension;
        this.alias = alias;
    }

    public static Optional<TileType> ofNumber(int number) {
        for (TileType type : values()) {
            if (type.number == number) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    public static Optional<TileType> ofExtension(String extension) {
        for (TileType type : values()) {
            if (type.isWrittenAs(extension)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    public int number() {
        return number;
    }

    public String mediaType() {
        return mediaType;
    }

    /** How its URLs end. */
    public String extension() {
        return extension;
    }

    /** True for its extension and the other spelling that some have. */
    public boolean isWrittenAs(String ending) {
        return ending.equals(extension) || ending.equals(alias);
    }

    /** Vector tiles have layers that TileJSON must list. */
    public boolean isVector() {
        return this == MVT || this == MLT;
    }
}
