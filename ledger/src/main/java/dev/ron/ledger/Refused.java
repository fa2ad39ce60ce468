package dev.ron.ledger;

/**
 * The only exception this library throws for bad input: a stable reason and a sentence that says where and what.
 *
 * <p>It has no stack trace: refusals answer hostile bytes, and filling a trace would cost more than finding the fault.
 */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String detail;

    public Refused(Reason reason, String detail) {
        super(reason.wire() + ": " + detail, null, false, false);
        this.reason = reason;
        this.detail = detail;
    }

    public Reason reason() {
        return reason;
    }

    public String detail() {
        return detail;
    }

    /** The same refusal seen from one level up, for example {@code entry 7: approval 2 of 3: ...}. */
    public Refused in(String where) {
        return new Refused(reason, where + ": " + detail);
    }
}
