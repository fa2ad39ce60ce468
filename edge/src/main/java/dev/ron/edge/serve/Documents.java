package dev.ron.edge.serve;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.mount.Lease;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.SharedPack;
import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.TileJson;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON about packs: the catalogue, TileJSON and a pack's own metadata.
 *
 * <p>Each is written and hashed on the pool when first asked for, then kept in memory like a tile, under a key that
 * names everything it was made from: another pack, another finding or another Host is another document.
 */
public final class Documents {
    private static final String JSON = "application/json";
    private static final String NEVER_SHARED = "private, no-cache";
    private static final String SUFFIX = ".json";

    private final Mounts mounts;
    private final HotCache cache;
    private final Room room;
    private final Cold cold;
    private final Sender sender;
    private final Findings findings;
    private final Supplier<Links> links;

    /** What a background look at a pack has found so far. */
    public record PackFacts(Optional<String> digest, boolean checked, long tiles) {}

    /** What background looks have found, with a number that is another after each finding. */
    public interface Findings {
        Optional<PackFacts> of(String name);

        long version();
    }

    private record TileJsonKey(long generation, String url, String cacheControl) {}

    private record MetadataKey(long generation, String cacheControl) {}

    private record CatalogueKey(long mounts, long findings, String base) {}

    /** How URLs are written. */
    public record Links(Optional<URI> publicUrl, boolean versioned, String cacheControl) {}

    public Documents(
            Mounts mounts,
            HotCache cache,
            Room room,
            Cold cold,
            Sender sender,
            Findings findings,
            Supplier<Links> links) {
        this.mounts = mounts;
        this.cache = cache;
        this.room = room;
        this.cold = cold;
        this.sender = sender;
        this.findings = findings;
        this.links = links;
    }

    /** {@code /edge/tiles/{pack}.json}. */
    public void tileJson(Exchange exchange) {
        String file = exchange.params().get("pack");
        if (!file.endsWith(SUFFIX)) {
            throw new RonException(Code.NOT_FOUND, "not_found", "TileJSON is at /edge/tiles/<pack>.json");
        }
        String name = file.substring(0, file.length() - SUFFIX.length());
        SharedPack pack = current(name);
        String url = tilesUrl(exchange, name, pack);
        String control = namesHost();
        send(
                exchange,
                new TileJsonKey(pack.generation(), url, control),
                control,
                () -> text(TileJson.of(pack.info(), url)));
    }

    /** {@code /edge/tiles/{pack}/metadata}. */
    public void metadata(Exchange exchange) {
        String name = exchange.params().get("pack");
        SharedPack pack = current(name);
        String control = links.get().cacheControl();
        send(exchange, new MetadataKey(pack.generation(), control), control, () -> metadata(name));
    }

    /** On the pool. Of the pack that is mounted by now: under the key of one before it nobody asks any more. */
    private byte[] metadata(String name) {
        try (Lease lease = mounts.lease(name).orElseThrow(() -> Packs.missing(mounts, name))) {
            try {
                return lease.pack().metadataText();
            } catch (PackError e) {
                mounts.unmountIfOverwritten(name, lease, e);
                throw e;
            }
        }
    }

    private SharedPack current(String name) {
        SharedPack pack = mounts.current(name);
        if (pack == null) {
            throw Packs.missing(mounts, name);
        }
        return pack;
    }

    /** {@code /edge/catalog}. */
    public void catalogue(Exchange exchange) {
        String base = base(exchange);
        // Taken before anything is read: what changes meanwhile makes the next request ask under another key.
        CatalogueKey key = new CatalogueKey(mounts.version(), findings.version(), base);
        send(exchange, key, "no-cache", () -> text(catalogue(base)));
    }

    private ObjectNode catalogue(String base) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode packs = document.putArray("packs");
        for (String name : mounts.names()) {
            SharedPack pack = mounts.current(name);
            if (pack != null) {
                packs.add(entry(base, name, pack));
            }
        }
        ArrayNode faults = document.putArray("faults");
        mounts.faults()
                .forEach((name, fault) -> faults.addObject()
                        .put("name", name)
                        .put("reason", fault.reason())
                        .put("detail", fault.detail()));
        return document;
    }

    private ObjectNode entry(String base, String name, SharedPack pack) {
        ObjectNode entry = JsonNodeFactory.instance.objectNode();
        entry.put("name", name);
        String title = pack.info().description().path("name").asString("");
        entry.put("title", title.isEmpty() ? name : title);
        entry.put("description", pack.info().description().path("description").asString(""));
        entry.put("kind", pack.info().kind());
        entry.put("type", pack.info().type().extension());
        entry.put("coding", pack.info().coding().contentCoding());
        entry.put("minzoom", pack.info().minZoom());
        entry.put("maxzoom", pack.info().maxZoom());
        Bounds box = pack.info().bounds();
        entry.putArray("bounds")
                .add(box.west())
                .add(box.south())
                .add(box.east())
                .add(box.north());
        entry.put("bytes", pack.size());
        entry.put("modified", pack.modified().toString());
        entry.put("etag", pack.tag().toString());
        findings.of(name).ifPresent(found -> {
            found.digest().ifPresent(digest -> entry.put("digest", digest));
            entry.put("checked", found.checked());
            entry.put("tiles", found.tiles());
        });
        entry.put("tilejson", base + "/edge/tiles/" + name + SUFFIX);
        entry.put("archive", base + "/edge/assets/" + name + "." + pack.info().kind());
        mounts.fault(name).ifPresent(fault -> entry.put("fault", fault.detail()));
        return entry;
    }

    private String tilesUrl(Exchange exchange, String name, SharedPack pack) {
        String version = links.get().versioned() ? "?v=" + pack.version() : "";
        return base(exchange) + "/edge/tiles/" + name + "/{z}/{x}/{y}."
                + pack.info().type().extension() + version;
    }

    /** A document that repeats the Host it was asked with must not be given to anyone else. */
    private String namesHost() {
        return links.get().publicUrl().isPresent() ? links.get().cacheControl() : NEVER_SHARED;
    }

    private String base(Exchange exchange) {
        Optional<URI> configured = links.get().publicUrl();
        if (configured.isPresent()) {
            String text = configured.get().toString();
            return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        }
        String host = exchange.headers().first("Host").orElse("localhost");
        return (exchange.secure() ? "https://" : "http://") + host;
    }

    private void send(Exchange exchange, Object key, String cacheControl, Supplier<byte[]> document) {
        HotObject hot = cache.get(key);
        if (hot != null && sender.hot(exchange, hot, false)) {
            return;
        }
        cold.run(
                exchange,
                () -> write(key, cacheControl, document.get()),
                object -> {
                    sender.fresh(exchange, object, HotObject.HIT, Headers.NONE);
                    object.release();
                },
                HotObject::release);
    }

    private static byte[] text(ObjectNode document) {
        return document.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** On the pool. */
    private HotObject write(Object key, String cacheControl, byte[] bytes) {
        Representation is = new Representation(bytes.length, EntityTag.ofContent(Blake3.hash(bytes)), Optional.empty());
        HotObject object = HotObject.of(new Entity(JSON, "", false, is, cacheControl), bytes, sender.says(), room);
        cache.put(key, object.hold());
        return object;
    }
}
