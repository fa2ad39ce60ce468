package dev.ron.edge.pack;

import java.util.Optional;

/** How stored bytes are compressed; {@link Unpacking} undoes it. The numbers are PMTiles'. */
public enum Coding {
    UNKNOWN(0, ""),
    NONE(1, ""),
    GZIP(2, "gzip"),
    BROTLI(3, "br"),
    ZSTD(4, "zstd"),
    /** Seen in MBTiles only; HTTP's word for the zlib format is "deflate". */
    ZLIB(-1, "deflate");

    private final int number;
    private final String contentCoding;

    Coding(int number, String contentCoding) {
        this.number = number;
        this.contentCoding = contentCoding;
    }

    public static Optional<Coding> ofNumber(int number) {
        for (Coding coding : values()) {
            if (coding.number == number && number >= 0) {
                return Optional.of(coding);
            }
        }
        return Optional.empty();
    }

    /** Tells a blob's coding by its first bytes; brotli has no mark and reads as none. */
    public static Coding sniff(byte[] blob) {
        if (starts(blob, 0x1F, 0x8B)) {
            return GZIP;
        }
        if (starts(blob, 0x28, 0xB5, 0x2F, 0xFD)) {
            return ZSTD;
        }
        // RFC 1950: method 8, window at most 32 KiB, and the two bytes as one number divide by 31.
        boolean zlib = blob.length >= 2
                && (blob[0] & 0x0F) == 8
                && (blob[0] & 0xF0) <= 0x70
                && (((blob[0] & 0xFF) << 8) | (blob[1] & 0xFF)) % 31 == 0;
        return zlib ? ZLIB : NONE;
    }

    /** What was sniffed in a tile of that type: a layer of an MLT can begin like zlib, in which none is stored. */
    public Coding in(TileType type) {
        return this == ZLIB && type == TileType.MLT ? NONE : this;
    }

    private static boolean starts(byte[] blob, int... mark) {
        if (blob.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if ((blob[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    public int number() {
        return number;
    }

    /** The value for {@code Content-Encoding}; empty when there is nothing to say. */
    public String contentCoding() {
        return contentCoding;
    }

    public boolean isCompressed() {
        return !contentCoding.isEmpty();
    }
}
