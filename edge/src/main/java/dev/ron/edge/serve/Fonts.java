package dev.ron.edge.serve;

import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import java.util.Optional;
import java.util.function.Function;

/** {@code /edge/fonts/{stack}/{range}}: glyphs of the first font of a stack, from its folder or from the program. */
public final class Fonts implements StreamHandler {
    private static final String WEEK = "public, max-age=604800";

    private final Optional<FolderFiles> folder;
    private final Bundled bundled;
    private final Function<String, Optional<byte[]>> glyphs;

    /** @param glyphs the bundled range of that name; every font falls back to it */
    public Fonts(Optional<FolderFiles> folder, Bundled bundled, Function<String, Optional<byte[]>> glyphs) {
        this.folder = folder;
        this.bundled = bundled;
        this.glyphs = glyphs;
    }

    @Override
    public void handle(Exchange exchange) {
        String stack = exchange.params().get("stack");
        String range = exchange.params().get("range");
        int comma = stack.indexOf(',');
        String font = comma < 0 ? stack : stack.substring(0, comma);
        if (folder.isPresent()) {
            folder.get().handleOr(exchange, font + "/" + range, () -> fromProgram(exchange, range));
        } else {
            fromProgram(exchange, range);
        }
    }

    private void fromProgram(Exchange exchange, String range) {
        bundled.send(exchange, range, new Bundled.Kind("application/x-protobuf", "", WEEK), glyphs);
    }
}
