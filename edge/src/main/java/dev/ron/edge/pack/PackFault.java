package dev.ron.edge.pack;

import java.util.Locale;

/** Why a pack cannot be mounted or read any further; each is a stable {@code reason}. */
public enum PackFault {
    /** The file ends before what its header promises. */
    TRUNCATED,
    /** A file whose name cannot be part of a URL. */
    BAD_NAME,
    /** Not a pack of the kind its name says, or of a version that is not read. */
    BAD_FORMAT,
    /** A header field has a value that cannot be. */
    BAD_HEADER,
    /** A directory breaks a rule of its format. */
    BAD_DIRECTORY,
    /** Directories nest deeper than any writer makes them, or point back at each other. */
    TOO_DEEP,
    /** Something is larger than its bound: a directory, a tile, the metadata. */
    TOO_LARGE,
    /** Compressed bytes that do not unpack. */
    BAD_CODING,
    /** The metadata is not what the format asks for. */
    BAD_METADATA,
    /** A database without the tables of MBTiles, or with changes still in a journal. */
    BAD_SCHEMA,
    /** A database that cannot be read on: a page is damaged, or a query of its own fails. */
    DAMAGED,
    /** The file was written to while it was mounted: what was read before and after may not belong together. */
    OVERWRITTEN,
    /** The operating system refused. */
    UNREADABLE;

    public String reason() {
        return "pack_" + name().toLowerCase(Locale.ROOT);
    }
}
