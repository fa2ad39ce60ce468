package dev.ron.token;

/**
 * The only exception this library throws for bad input.
 *
 * <p>It has no stack trace: refusals are answers to hostile text, and filling a trace would cost more than finding the
 * fault. The detail names the member at fault and never repeats token text.
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
}
