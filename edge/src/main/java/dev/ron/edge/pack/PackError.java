package dev.ron.edge.pack;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import org.jspecify.annotations.Nullable;

/** A pack that cannot be used, with its cause; the detail names files without their folders, so it may be shown. */
public final class PackError extends RonException {
    private static final long serialVersionUID = 1L;

    private final PackFault fault;

    public PackError(PackFault fault, String detail) {
        this(fault, detail, null);
    }

    public PackError(PackFault fault, String detail, @Nullable Throwable cause) {
        super(Code.UNAVAILABLE, fault.reason(), detail, null, cause);
        this.fault = fault;
    }

    public PackFault fault() {
        return fault;
    }
}
