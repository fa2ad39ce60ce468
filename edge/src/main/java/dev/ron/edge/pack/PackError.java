package dev.ron.edge.pack;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import org.jspecify.annotations.Nullable;

/** A pack that cannot be used, with its cause; the detail names files without their folders, so it may be shown. */
public final class PackError extends RonException {
    private static final long serialVersionUID = 1L;

    private static final int MOST_CHARS = 512;

    private final PackFault fault;

    public PackError(PackFault fault, String detail) {
        this(fault, detail, null);
    }

    public PackError(PackFault fault, String detail, @Nullable Throwable cause) {
        super(Code.UNAVAILABLE, fault.reason(), shown(detail), null, cause);
        this.fault = fault;
    }

    /** It may quote what a file says, and is kept, logged and told to everyone who asks. */
    private static String shown(String detail) {
        StringBuilder out = new StringBuilder();
        detail.codePoints()
                .limit(MOST_CHARS)
                .forEach(c -> out.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c));
        return detail.length() > out.length() ? out + "…" : out.toString();
    }

    public PackFault fault() {
        return fault;
    }
}
