package dev.ron.token.keys;

/** The life of a signing key, as seen by a verifier. */
public enum KeyStatus {
    /** Published ahead of first use, so that no verifier meets an unknown key in a planned rotation. */
    ANNOUNCED(true),
    /** Signs now. */
    ACTIVE(true),
    /** Signs no more; its tokens run out. */
    RETIRING(true),
    /** All its tokens have run out. */
    RETIRED(false),
    /** Compromised: nothing it signed counts. */
    REVOKED(false);

    private final boolean verifies;

    KeyStatus(boolean verifies) {
        this.verifies = verifies;
    }

    /** True if signatures of such a key are accepted. An announced key's are: the verifier may hear late of its start. */
    public boolean verifies() {
        return verifies;
    }
}
