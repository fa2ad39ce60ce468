package dev.ron.registry.disk;

import java.io.IOException;

/** The disk is full; what was asked for may have been done in part. */
public final class NoSpace extends IOException {
    private static final long serialVersionUID = 1L;

    public NoSpace(String name) {
        super(name + ": no space left on the disk");
    }

    /** The failure as it is, or as this where the system says that it has run out of space. */
    public static IOException of(String name, IOException failure) {
        String message = failure.getMessage();
        boolean full =
                message != null && (message.contains("No space left") || message.contains("Disk quota exceeded"));
        return full ? new NoSpace(name) : failure;
    }
}
