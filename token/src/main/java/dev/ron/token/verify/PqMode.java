package dev.ron.token.verify;

/** What a verifier asks of post-quantum co-signatures; one that is present is checked in every mode. */
public enum PqMode {
    OFF,
    /** Both kinds are accepted while clients move over. */
    HYBRID,
    /** Only co-signed roots; blocks, which are classical, only if configured. */
    ENFORCE
}
