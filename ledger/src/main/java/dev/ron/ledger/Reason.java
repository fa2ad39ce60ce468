package dev.ron.ledger;

import java.util.Locale;

/** Why bytes are refused; {@link #wire()} is the stable word used in answers, logs and metric labels. */
public enum Reason {
    // reading
    MALFORMED,
    OVER_LIMIT,
    NOT_CANONICAL,

    // keys and signatures
    WEAK_KEY,
    INVALID_SIG,
    PQ_REQUIRED,

    // governance
    BAD_SIGNER_SET,
    UNKNOWN_SIGNER,
    REVOKED_KEY,
    DUPLICATE_APPROVAL,
    FOREIGN_APPROVAL,
    EXPIRED,
    CLOCK_SKEW,
    VERSION_SKEW,
    QUORUM_FAILED,

    // history
    PAYLOAD_HASH_MISMATCH,
    APPROVALS_HASH_MISMATCH,
    CHAIN_MISMATCH,
    STALE_PRECONDITION,

    // transparency
    NOTE_UNVERIFIED,
    LEAF_MISMATCH,
    ROOT_MISMATCH,
    STATE_MISMATCH,
    UNTRUSTED_GENESIS,
    INCOMPLETE;

    private final String wire = name().toLowerCase(Locale.ROOT);

    public String wire() {
        return wire;
    }
}
