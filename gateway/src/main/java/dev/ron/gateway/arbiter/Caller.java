package dev.ron.gateway.arbiter;

/** The one who asked; hears exactly one of these once, on its own loop, unless it cancelled in time. */
public interface Caller {

    /** The upstream may be used until the slot is released; a caller that is gone by now releases it at once. */
    void granted(Slot slot);

    void refused(Refusal why);
}
