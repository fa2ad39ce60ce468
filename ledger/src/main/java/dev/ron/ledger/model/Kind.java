package dev.ron.ledger.model;

/** What a change set does; the word stands in the payload and in the entry. */
public enum Kind implements Wire {
    GENESIS("genesis"),
    CHANGE("change"),
    REPLACE_ALL("replace_all"),
    SIGNER_SET("signer_set"),
    SUPERSEDE("supersede");

    private final String wire;

    Kind(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
