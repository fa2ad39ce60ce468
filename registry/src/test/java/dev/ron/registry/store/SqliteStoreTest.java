package dev.ron.registry.store;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The oracle keeps the contract too. */
class SqliteStoreTest extends StoreContract {
    @TempDir
    Path folder;

    @Override
    Store open() throws IOException {
        return new SqliteStore(folder.resolve("oracle.db"));
    }
}
