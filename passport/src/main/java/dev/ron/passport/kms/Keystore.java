package dev.ron.passport.kms;

import java.io.IOException;
import java.util.Optional;

/** Where the keys rest between two starts. */
public interface Keystore {
    /**
     * The keys, and where the office stood when they were written.
     *
     * @param seq grows with every write, so that an older copy can be told
     * @param journalSeq the journal's batch at that moment
     */
    record Content(long seq, long journalSeq, KeyRing ring) {}

    Optional<Content> load() throws IOException;

    /** Replaces the content whole or not at all; it is on disk when this returns. */
    void save(Content content) throws IOException;

    /** Keeps nothing: the keys are forgotten together with everything they signed. */
    static Keystore memory() {
        return new Keystore() {
            @Override
            public Optional<Content> load() {
                return Optional.empty();
            }

            @Override
            public void save(Content content) {
                // the ring in use is the only copy
            }
        };
    }
}
