package dev.ron.edge.cas;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.io.IOException;
import java.util.Locale;

/** The failures of a store, each with its reason. */
final class CasErrors {
    private CasErrors() {}

    static RonException tooLarge(long maxBytes) {
        return new RonException(
                Code.OVER_LIMIT, "too_large", "the object has more than " + maxBytes + " bytes, it is not stored");
    }

    static RonException full(long bytes, long maxBytes) {
        return new RonException(
                Code.STORAGE_BUSY,
                "cas_full",
                bytes + " more bytes do not fit the store's " + maxBytes + "; edge.cas bounds it");
    }

    static RonException damaged() {
        return new RonException(Code.STORAGE_BUSY, "integrity", "a stored object changed while it was read");
    }

    /** A full disk is told apart by the system's words, the only place where Java has them. */
    static RonException io(String what, IOException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        boolean full = message.contains("no space left") || message.contains("quota exceeded");
        return new RonException(
                Code.STORAGE_BUSY,
                full ? "cas_full" : "cas_io",
                full ? "the disk of the store is full" : "the store could not " + what,
                null,
                e);
    }
}
