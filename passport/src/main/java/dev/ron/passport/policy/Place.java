package dev.ron.passport.policy;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.tree.TreeHash;

/**
 * A place in a registry's log.
 *
 * @param genesis which log
 * @param size how many entries it had
 * @param root what they were
 */
public record Place(B3 genesis, long size, TreeHash root) {
    @Override
    public String toString() {
        return "version " + size + " of the log " + genesis;
    }
}
