package dev.ron.edge.serve;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.mount.Lease;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.SharedPack;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackInfo;
import dev.ron.edge.pack.Tile;
import dev.ron.edge.pack.Unpacking;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code /edge/tiles/{pack}/{z}/{x}/{y}.{ext}}: from memory on the event loop, else read and hashed once on the pool.
 *
 * <p>A request takes the pack that is mounted when it comes, and the keys of the cache carry that pack's number: no
 * answer mixes two versions, and none of the old is found under the new.
 */
public final class Tiles implements StreamHandler {
    private static final Entity ABSENT =
            new Entity("", "", false, new Representation(0, EntityTag.strong("none"), Optional.empty()), "");
    private static final String MISS = "edge; fwd=miss; stored";

    private final Mounts mounts;
    private final HotCache cache;
    private final Room room;
    private final Cold cold;
    private final Sender sender;
    private final Served served;
    private final Supplier<Rules> rules;

    /** What the configuration says at this moment. */
    public record Rules(int missingTile, String cacheControl, int maxPlainBytes) {}

    public Tiles(
            Mounts mounts, HotCache cache, Room room, Cold cold, Sender sender, Served served, Supplier<Rules> rules) {
        this.mounts = mounts;
        this.cache = cache;
        this.room = room;
        this.cold = cold;
        this.sender = sender;
        this.served = served;
        this.rules = rules;
    }

    @Override
    public void handle(Exchange exchange) {
        String name = exchange.params().get("pack");
        SharedPack pack = mounts.current(name);
        if (pack == null) {
            throw Packs.missing(mounts, name);
        }
        TilePath path = TilePath.of(
                exchange.params().get("z"),
                exchange.params().get("x"),
                exchange.params().get("y"));
        PackInfo info = pack.info();
        if (path == null || path.at().z() < info.minZoom() || path.at().z() > info.maxZoom()) {
            throw new RonException(Code.NOT_FOUND, "not_found", "no such tile in " + name);
        }
        if (!info.type().isWrittenAs(path.extension())) {
            throw new RonException(
                    Code.BAD_REQUEST,
                    "ext_mismatch",
                    "." + path.extension() + " (expected: ." + info.type().extension() + ", what " + name + " holds)");
        }
        boolean plain = info.coding().isCompressed()
                && !Asked.accepts(exchange.headers(), info.coding().contentCoding());
        TileKey key =
                TileKey.of(pack.generation(), path.at(), plain, rules.get().cacheControl());
        HotObject hot = cache.get(key);
        if (hot == null || !answerHot(exchange, pack, hot)) {
            read(exchange, name, pack, path, key);
        }
    }

    private boolean answerHot(Exchange exchange, SharedPack pack, HotObject hot) {
        if (hot.isAbsent()) {
            served.ram();
            none(exchange, HotObject.HIT);
            return true;
        }
        boolean sent = sender.hot(exchange, hot, isPinned(exchange, pack));
        if (sent) {
            served.ram();
        }
        return sent;
    }

    /** Whether the URL names this version of the pack, so that its answer can be kept for ever. */
    private static boolean isPinned(Exchange exchange, SharedPack pack) {
        String query = exchange.query();
        String version = pack.version();
        return query.length() == version.length() + 2 && query.startsWith("v=") && query.endsWith(version);
    }

    private void read(Exchange exchange, String name, SharedPack pack, TilePath path, TileKey key) {
        cold.run(
                exchange,
                () -> load(name, pack, path, key),
                found -> {
                    if (found.isEmpty()) {
                        // Of its successor nothing is known to fit the request: type, zooms and coding may be others.
                        handle(exchange);
                        return;
                    }
                    served.pack();
                    HotObject object = found.get();
                    if (object.isAbsent()) {
                        none(exchange, MISS);
                    } else if (isPinned(exchange, pack)) {
                        sender.freshPinned(exchange, object, MISS);
                    } else {
                        sender.fresh(exchange, object, MISS, Headers.NONE);
                    }
                    object.release();
                },
                found -> found.ifPresent(HotObject::release));
    }

    /**
     * On the pool: reads the tile, undoes its coding if need be, hashes it, and puts it into memory. Nothing where the
     * pack was replaced and closed since the request came.
     */
    private Optional<HotObject> load(String name, SharedPack pack, TilePath path, TileKey key) {
        Lease lease = pack.lease().orElse(null);
        if (lease == null) {
            return Optional.empty();
        }
        try (lease) {
            Optional<Tile> tile = lease.pack().tile(path.at());
            HotObject object = tile.map(found -> object(pack, found, key)).orElseGet(() -> HotObject.absent(ABSENT));
            cache.put(key, object.hold());
            return Optional.of(object);
        } catch (PackError e) {
            switch (e.fault()) {
                case OVERWRITTEN, UNREADABLE, TRUNCATED, DAMAGED -> mounts.unmount(name, lease, e);
                default -> {} // this tile is bad, the others may be good
            }
            throw e;
        }
    }

    private HotObject object(SharedPack pack, Tile tile, TileKey key) {
        Coding coding = tile.coding().in(pack.info().type());
        byte[] bytes = tile.bytes();
        // The request was asked about the pack's coding only; a database may hold tiles in others, which go out plain.
        if (coding.isCompressed() && (key.plain() || coding != pack.info().coding())) {
            bytes = plain(tile, key);
            coding = Coding.NONE;
        }
        Representation is =
                new Representation(bytes.length, EntityTag.ofContent(Blake3.hash(bytes)), Optional.of(pack.modified()));
        Entity entity = new Entity(
                pack.info().type().mediaType(),
                coding.contentCoding(),
                pack.info().coding().isCompressed(),
                is,
                key.cacheControl());
        return HotObject.of(entity, bytes, sender.says(), room);
    }

    private byte[] plain(Tile tile, TileKey key) {
        String what = "tile " + key.z() + "/" + key.x() + "/" + key.y();
        try {
            return Unpacking.unpack(tile.coding(), tile.bytes(), rules.get().maxPlainBytes(), what);
        } catch (PackError e) {
            if (e.fault() != PackFault.TOO_LARGE) {
                throw e;
            }
            throw new RonException(
                    Code.DECODE_BOMB,
                    "decompress_cap",
                    what + " decodes to more than edge.ingress.decompress_abs_bytes; it is whole in "
                            + tile.coding().contentCoding());
        }
    }

    private void none(Exchange exchange, String status) {
        Headers.Builder fields = new Headers.Builder().add("Cache-Control", "public, max-age=60");
        if (sender.says()) {
            fields.add("Cache-Status", status);
        }
        if (rules.get().missingTile() == 404) {
            exchange.fail(new RonException(Code.NOT_FOUND, "not_found", "the pack has no such tile"), fields.build());
        } else {
            exchange.respond(Response.of(204, fields.build(), new byte[0]));
        }
    }
}
