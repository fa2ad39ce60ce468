package dev.ron.edge.pack.raw;

import java.util.Locale;
import java.util.Map;

/** Media types of files by their ending; a fixed list, so that every machine says the same. */
public final class MediaTypes {
    public static final String UNKNOWN = "application/octet-stream";

    private static final Map<String, String> BY_ENDING = Map.ofEntries(
            Map.entry("avif", "image/avif"),
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("csv", "text/csv; charset=utf-8"),
            Map.entry("geojson", "application/geo+json"),
            Map.entry("gif", "image/gif"),
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("map", "application/json"),
            Map.entry("mbtiles", "application/vnd.sqlite3"),
            Map.entry("mjs", "text/javascript; charset=utf-8"),
            Map.entry("mlt", "application/vnd.maplibre-tile"),
            Map.entry("mp4", "video/mp4"),
            Map.entry("mvt", "application/vnd.mapbox-vector-tile"),
            Map.entry("otf", "font/otf"),
            Map.entry("pbf", "application/x-protobuf"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("pmtiles", "application/vnd.pmtiles"),
            Map.entry("png", "image/png"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("ttf", "font/ttf"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("wasm", "application/wasm"),
            Map.entry("webm", "video/webm"),
            Map.entry("webp", "image/webp"),
            Map.entry("woff", "font/woff"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("xml", "application/xml"));

    private MediaTypes() {}

    public static String of(String name) {
        int dot = name.lastIndexOf('.');
        int slash = name.lastIndexOf('/');
        return dot > slash
                ? BY_ENDING.getOrDefault(name.substring(dot + 1).toLowerCase(Locale.ROOT), UNKNOWN)
                : UNKNOWN;
    }
}
