package dev.ron.passport.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.bundle.Bundle;
import dev.ron.ledger.bundle.Value;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.NoteSigner;
import dev.ron.ledger.sign.Ed25519SigningKey;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When the log says that it was seen, as its bundle proves it. */
class PolicyBundleTest {
    private static final String ORIGIN = "test.example/registry";
    private static final String ID = "passport.policy";
    private static final long SEEN_AT = 1_760_000_000L;

    private final SecureRandom random = new SecureRandom();
    private final NoteSigner identity = new NoteSigner(ORIGIN, NoteKey.Type.NOTE, Ed25519SigningKey.generate(random));
    private final NoteSigner freshness =
            new NoteSigner(ORIGIN, NoteKey.Type.TIMESTAMPED, Ed25519SigningKey.generate(random));

    private Offer read(NoteSigner... signers) throws Refused {
        Signer member =
                Signer.active("org:a#a", "a", Ed25519SigningKey.generate(random).verifyKey());
        Artifact first = Ledger.genesis(
                ChangeSet.of(new Body.Genesis(
                        ORIGIN,
                        List.of(identity.key(), freshness.key()),
                        SignerSet.initial(1, List.of(member)),
                        List.of())),
                SEEN_AT * 1000);
        Ledger ledger = Ledger.open(first);
        Bundle bundle = Bundle.of(
                ledger.checkpoint().sign(SEEN_AT, signers),
                1,
                ledger.tree(),
                List.of(first),
                List.of(new Value(Optional.empty(), ledger.state().prove(ID))));
        return new PolicyBundle(first.entry().hash(), ID, "issuer").read(bundle.bytes());
    }

    @Test
    void itSaysWhenTheLogWasSeen() throws Refused {
        Offer offer = read(identity, freshness);
        assertThat(offer.seenAt()).isEqualTo(SEEN_AT);
        assertThat(offer.policy()).isEmpty();
    }

    @Test
    void oneThatDoesNotSayWhenIsRefused() {
        assertThatThrownBy(() -> read(identity))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Reason.NOTE_UNVERIFIED));
    }
}
