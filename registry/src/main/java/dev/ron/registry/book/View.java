package dev.ron.registry.book;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.log.Ledger;
import java.util.Optional;

/**
 * The durable registry at one moment; readers take one and keep it.
 *
 * @param frozen why nothing may change, where that is so
 * @param minimumVersion the first version whose payload is still kept
 */
public record View(
        Ledger ledger, long auditSeq, B3 auditHash, Optional<String> frozen, long minimumVersion, Head head) {

    static View of(Ledger ledger, long auditSeq, B3 auditHash, Optional<String> frozen, long minimumVersion) {
        return new View(
                ledger,
                auditSeq,
                auditHash,
                frozen,
                minimumVersion,
                Head.of(ledger, frozen.isPresent(), minimumVersion));
    }

    public long version() {
        return ledger.head().version();
    }
}
