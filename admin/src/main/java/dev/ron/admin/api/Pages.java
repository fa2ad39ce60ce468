package dev.ron.admin.api;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The built pages, from the class path.
 *
 * <p>A path is looked up among the files that were built and nowhere else, so no path leads to another file. Names under
 * {@code assets/} carry a hash of their content and may be kept for ever; every other file is asked for again, by its tag.
 */
final class Pages {
    private static final String ROOT = "/dev/ron/admin/ui/";
    private static final String INDEX = "index.html";
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("png", "image/png"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("webmanifest", "application/manifest+json"),
            Map.entry("txt", "text/plain; charset=utf-8"));

    private final Set<String> names;
    private final Map<String, File> files = new ConcurrentHashMap<>(); // read when first asked for

    /** A file with its tag, and its compressed twin where the build made one. */
    private static final class File {
        private final byte[] body;
        private final Optional<byte[]> gzip;
        private final String tag;
        private final String type;
        private final boolean hashed;

        File(byte[] body, Optional<byte[]> gzip, String name) {
            this.body = body;
            this.gzip = gzip;
            this.tag = "\"" + hash(body) + "\"";
            this.type = type(name);
            this.hashed = name.startsWith("assets/");
        }
    }

    /** Knows every file that {@code FILES}, written by the build, lists; without it there is the index alone. */
    Pages() {
        names = Set.copyOf(names());
    }

    private static List<String> names() {
        Optional<byte[]> list = read("FILES");
        return list.map(bytes -> new String(bytes, StandardCharsets.UTF_8)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.endsWith(".gz") && !line.endsWith(".br"))
                        .toList())
                .orElse(List.of(INDEX));
    }

    private @Nullable File file(String name) {
        File known = files.get(name);
        if (known != null || !names.contains(name)) {
            return known;
        }
        Optional<File> found = read(name).map(body -> new File(body, read(name + ".gz"), name));
        found.ifPresent(file -> files.put(name, file));
        return found.orElse(null);
    }

    private static Optional<byte[]> read(String name) {
        try (InputStream in = Pages.class.getResourceAsStream(ROOT + name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("the page " + name + " in the jar cannot be read", e);
        }
    }

    private static String type(String name) {
        return TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
    }

    private static String hash(byte[] body) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(body);
            return HexFormat.of().formatHex(sum, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** A file by its name, or the index for an address of the page itself. */
    Response serve(Request request) {
        String path = request.path();
        File file = file(path.equals("/") ? INDEX : path.substring(1));
        if (file == null && (path.startsWith("/assets/") || path.startsWith("/api/") || path.contains("."))) {
            throw new RonException(Code.NOT_FOUND, "not_found", "there is nothing at this address");
        }
        return answer(request, file == null ? file(INDEX) : file);
    }

    private static Response answer(Request request, @Nullable File file) {
        if (file == null) {
            throw new RonException(Code.NOT_FOUND, "not_found", "the pages are not in this build");
        }
        String caching = file.hashed ? "public, max-age=31536000, immutable" : "no-cache";
        boolean known = request.headers().all("If-None-Match").stream().anyMatch(tags -> tags.contains(file.tag));
        boolean gzip = file.gzip.isPresent()
                && request.headers().first("Accept-Encoding").orElse("").contains("gzip");
        Response response =
                known ? Response.status(304) : Response.bytes(200, file.type, gzip ? file.gzip.get() : file.body);
        if (gzip && !known) {
            response = response.withHeader("Content-Encoding", "gzip");
        }
        return response.withHeader("ETag", file.tag)
                .withHeader("Vary", "Accept-Encoding")
                .withHeader("Cache-Control", caching);
    }
}
