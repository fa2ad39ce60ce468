package dev.ron.registry.store;

/** The store of the micro profile. */
class MemoryStoreTest extends StoreContract {
    private final MemoryStore store = new MemoryStore();

    @Override
    Store open() {
        return store;
    }
}
