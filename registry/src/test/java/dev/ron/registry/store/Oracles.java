package dev.ron.registry.store;

import java.io.IOException;
import java.nio.file.Path;

/** Other stores than ours, for tests of what stands on a store. */
public final class Oracles {
    private Oracles() {}

    public static Store sqlite(Path file) throws IOException {
        return new SqliteStore(file);
    }
}
