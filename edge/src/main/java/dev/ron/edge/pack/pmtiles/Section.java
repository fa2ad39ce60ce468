package dev.ron.edge.pack.pmtiles;

/** A part of the file; offsets inside it are relative to its start. */
record Section(long offset, long length) {

    /** True if it lies inside a file of that size; written so that it cannot overflow. */
    boolean inside(long fileBytes) {
        return offset >= 0 && length >= 0 && length <= fileBytes && offset <= fileBytes - length;
    }

    /** True if {@code size} bytes at {@code at} lie inside the section. */
    boolean holds(long at, long size) {
        return at >= 0 && size >= 0 && size <= length && at <= length - size;
    }
}
