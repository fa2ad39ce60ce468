package dev.ron.ledger.log;

/** How much of an artifact is checked again. */
public enum Rigor {
    /** Everything, signatures included: auditors, mirrors, the deep verifier, bundles. */
    SIGNATURES,
    /** Everything but signatures: a node re-reading its own log, whose chain it trusts and verifies in the background. */
    HASHES
}
