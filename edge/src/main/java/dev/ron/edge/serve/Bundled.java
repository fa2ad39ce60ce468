package dev.ron.edge.serve;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Packing;
import dev.ron.edge.range.EntityTag;
import dev.ron.edge.range.Representation;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.Optional;
import java.util.function.Function;

/** Files that came with the program: compressed once, when first asked for, and then in memory like any hot object. */
public final class Bundled {
    private static final int WORTH_PACKING = 1024;

    private final FolderFiles.Parts parts;

    /** How such a file is presented. */
    public record Kind(String mediaType, String policy, String cacheControl) {}

    private record Key(String name, Kind kind, boolean plain) {}

    public Bundled(FolderFiles.Parts parts) {
        this.parts = parts;
    }

    /** Answers with the file, or 404 where {@code read}, which runs on the pool, finds none. */
    public void send(Exchange exchange, String name, Kind kind, Function<String, Optional<byte[]>> read) {
        Key key = new Key(name, kind, !Asked.accepts(exchange.headers(), "gzip"));
        HotObject hot = parts.cache().get(key);
        if (hot != null && parts.sender().hot(exchange, hot, false)) {
            return;
        }
        parts.cold().run(exchange, () -> load(key, read), loaded -> answer(exchange, loaded), Loaded::release);
    }

    private Loaded load(Key key, Function<String, Optional<byte[]>> read) {
        Kind kind = key.kind();
        byte[] bytes = read.apply(key.name()).orElse(null);
        if (bytes == null) {
            return new Loaded.None();
        }
        boolean pack = !key.plain() && bytes.length >= WORTH_PACKING;
        byte[] sent = pack ? Packing.pack(Coding.GZIP, bytes) : bytes;
        Representation is = new Representation(sent.length, EntityTag.ofContent(Blake3.hash(sent)), Optional.empty());
        Entity entity = new Entity(
                kind.mediaType(),
                pack ? "gzip" : "",
                bytes.length >= WORTH_PACKING,
                is,
                kind.cacheControl(),
                kind.policy());
        HotObject object = HotObject.of(entity, sent, parts.sender().says(), parts.room());
        parts.cache().put(key, object.hold());
        return new Loaded.Hot(object, true);
    }

    private void answer(Exchange exchange, Loaded loaded) {
        if (loaded instanceof Loaded.Hot(HotObject object, boolean _)) {
            parts.sender().fresh(exchange, object, HotObject.HIT, Headers.NONE);
            object.release();
        } else {
            exchange.fail(new RonException(Code.NOT_FOUND, "not_found", "there is no such file"));
        }
    }
}
