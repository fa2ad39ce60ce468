package dev.ron.kernel.error;

/** The wait was ended by interrupt; the waiting code took nothing and must let this pass. */
public final class Canceled extends RonException {
    private static final long serialVersionUID = 1L;

    public Canceled(String point) {
        super(Code.CANCELED, "canceled", "stopped while waiting at " + point);
    }
}
