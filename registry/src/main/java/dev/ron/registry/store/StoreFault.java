package dev.ron.registry.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Why the store did not do what it was asked. */
public final class StoreFault extends IOException {
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** What follows from it. */
    public enum Kind {
        /** There is no room; nothing was written, and it works again when there is. */
        FULL,
        /** Writing or syncing failed; what became of the batch is unknown until the next start, and nothing is written before. */
        FAILED,
        /** The log is not where the writer thought; nothing was written. */
        MOVED,
        /** There is damage before the end; what lies before it can be read, nothing is written. */
        CORRUPT,
        /** What was asked for is not there, or not yet. */
        ABSENT,
        /** Another process has the folder. */
        LOCKED,
        /** The log is older than it was. */
        ROLLED_BACK
    }

    public StoreFault(Kind kind, String detail, @Nullable Throwable cause) {
        super(detail, cause);
        this.kind = kind;
    }

    public StoreFault(Kind kind, String detail) {
        this(kind, detail, null);
    }

    public Kind kind() {
        return kind;
    }
}
