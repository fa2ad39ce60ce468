package dev.ron.ledger.quorum;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import java.util.Optional;

/** What a new signer set owes to the old one, beside the votes. */
public final class Rotation {
    private Rotation() {}

    /** Checks a set that is to take effect at {@code version}. */
    public static void check(SignerSet before, SignerSet after, long version) throws Refused {
        if (after.setVersion() != before.setVersion() + 1) {
            throw refused("set_version " + after.setVersion() + " (expected: " + (before.setVersion() + 1) + ")");
        }
        for (Signer signer : before.signers()) {
            Optional<Signer> now = after.signer(signer.signerId());
            // A revoked key that were forgotten could come back two rotations later.
            if (!signer.isActive() && !now.equals(Optional.of(signer))) {
                throw refused("revoked signer " + signer.signerId() + " must stay listed as it was");
            }
        }
        for (Signer signer : after.signers()) {
            boolean wasRevoked = before.signer(signer.signerId())
                    .filter(old -> !old.isActive())
                    .isPresent();
            if (!signer.isActive() && !wasRevoked && signer.revokedAtVersion().orElse(0) != version) {
                throw refused("signer " + signer.signerId() + " is revoked at version "
                        + signer.revokedAtVersion().orElse(0) + " (expected: " + version + ")");
            }
        }
    }

    private static Refused refused(String problem) {
        return new Refused(Reason.BAD_SIGNER_SET, "signer set: " + problem);
    }
}
