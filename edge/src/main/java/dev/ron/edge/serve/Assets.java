package dev.ron.edge.serve;

import dev.ron.edge.fill.AssetKey;
import dev.ron.edge.fill.FillRoutes;
import dev.ron.edge.fill.Fills;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.Optional;

/** {@code /edge/assets/**}: a mounted pack by its file name, else the origin of the path's prefix, else the folder. */
public final class Assets implements StreamHandler {
    private final Packs packs;
    private final FillRoutes routes;
    private final Fills fills;
    private final Optional<FolderFiles> folder;

    public Assets(Packs packs, FillRoutes routes, Fills fills, Optional<FolderFiles> folder) {
        this.packs = packs;
        this.routes = routes;
        this.fills = fills;
        this.folder = folder;
    }

    @Override
    public void handle(Exchange exchange) {
        exchange.label("/edge/assets"); // what the seed calls it
        String path = exchange.params().decodedRest();
        Optional<String> pack = packs.named(path);
        if (pack.isPresent()) {
            packs.handle(exchange, pack.get());
            return;
        }
        Optional<AssetKey> key = routes.isEmpty() ? Optional.empty() : key(exchange);
        if (key.isPresent()) {
            fills.handle(exchange, key.get());
        } else if (folder.isPresent()) {
            folder.get().handle(exchange, path);
        } else {
            throw new RonException(Code.NOT_FOUND, "not_found", "there is no asset " + path);
        }
    }

    private Optional<AssetKey> key(Exchange exchange) {
        String rest = exchange.params().rest();
        return rest.isEmpty() ? Optional.empty() : routes.key(rest.substring(1), exchange.query());
    }
}
