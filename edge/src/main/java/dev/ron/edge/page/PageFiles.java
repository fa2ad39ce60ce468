package dev.ron.edge.page;

import dev.ron.edge.serve.Bundled;
import dev.ron.http.server.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** The preview page and all it needs, from the program itself: it asks nobody else for anything. */
public final class PageFiles {
    /** Scripts, styles, workers and requests from here only; map images are drawn from data the page has. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self';"
            + " connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'self'";

    private static final String REVALIDATE = "no-cache";
    private static final Map<String, String> NAMES = Map.of(
            "index.html", "text/html; charset=utf-8",
            "edge.css", "text/css; charset=utf-8",
            "edge.js", "text/javascript; charset=utf-8",
            "style.js", "text/javascript; charset=utf-8",
            "maplibre-gl.css", "text/css; charset=utf-8",
            "maplibre-gl.mjs", "text/javascript; charset=utf-8",
            "maplibre-gl-worker.mjs", "text/javascript; charset=utf-8",
            "maplibre-gl.LICENSE.txt", "text/plain; charset=utf-8",
            "icon.svg", "image/svg+xml");

    private final Bundled bundled;

    public PageFiles(Bundled bundled) {
        this.bundled = bundled;
    }

    /** {@code /edge/}. */
    public void index(Exchange exchange) {
        send(exchange, "index.html");
    }

    /** {@code /edge/ui/{file}}. */
    public void file(Exchange exchange) {
        send(exchange, exchange.params().get("file"));
    }

    private void send(Exchange exchange, String name) {
        String type = NAMES.getOrDefault(name, "");
        bundled.send(exchange, name, new Bundled.Kind(type, POLICY, REVALIDATE), PageFiles::read);
    }

    private static Optional<byte[]> read(String name) {
        if (!NAMES.containsKey(name)) {
            return Optional.empty();
        }
        try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException("the program's own file " + name + " cannot be read", e);
        }
    }

    /** The one range of glyphs that is bundled, for labels in Latin letters without any download. */
    public static Optional<byte[]> glyphs(String range) {
        if (!range.equals("0-255.pbf")) {
            return Optional.empty();
        }
        try (InputStream in = PageFiles.class.getResourceAsStream("glyphs-0-255.pbf")) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException("the program's own glyphs cannot be read", e);
        }
    }
}
