package dev.ron.registry.store;

import java.io.IOException;

/** Bytes that are not a whole batch. */
final class BadBatch extends IOException {
    private static final long serialVersionUID = 1L;

    BadBatch(String problem) {
        super(problem);
    }
}
