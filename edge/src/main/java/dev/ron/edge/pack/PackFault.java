package dev.ron.edge.pack;

import java.util.Locale;

/** Why a pack cannot be mounted or read any further; each is a stable {@code reason}. */
public enum PackFault {
    TRUNCATED("the file ends before what its header promises"),
    BAD_NAME("a file whose name cannot be part of a URL"),
    BAD_FORMAT("not a pack of the kind its name says, or of a version that is not read"),
    BAD_HEADER("a header field has a value that cannot be"),
    BAD_DIRECTORY("a directory breaks a rule of its format"),
    TOO_DEEP("directories nest deeper than any writer makes them, or point back at each other"),
    TOO_LARGE("something is larger than its bound: a directory, a tile, the metadata"),
    BAD_CODING("compressed bytes that do not unpack"),
    BAD_METADATA("the metadata is not what the format asks for"),
    BAD_SCHEMA("a database without the tables of MBTiles, or with changes still in a journal"),
    DAMAGED("a database that cannot be read on: a page is damaged, or a query of its own fails"),
    OVERWRITTEN("the file was written to while it was mounted: what was read before and after may not belong together"),
    UNREADABLE("the operating system refused");

    private final String sentence;

    PackFault(String sentence) {
        this.sentence = sentence;
    }

    public String reason() {
        return "pack_" + name().toLowerCase(Locale.ROOT);
    }

    /** One sentence for a person. */
    public String sentence() {
        return sentence;
    }
}
