package dev.ron.passport.office;

import dev.ron.kernel.time.Clock;
import dev.ron.passport.kms.Kms;
import dev.ron.passport.kms.KmsKey;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.RevocationFeed;
import java.util.List;
import java.util.Optional;

/** Writes the signed revocation feed. */
public final class Feed {
    private final Registrar registrar;
    private final Kms kms;
    private final Clock clock;

    public Feed(Registrar registrar, Kms kms, Clock clock) {
        this.registrar = registrar;
        this.kms = kms;
        this.clock = clock;
    }

    /** The entries after {@code since}, or all of them where that cannot be told. */
    public String document(long since) {
        // Read before the state: the document must not claim to be newer than what it holds.
        long asOf = clock.now().getEpochSecond();
        OfficeState state = registrar.state();
        long seq = state.seq();
        long oldest = Math.max(0, seq - FeedLog.CAPACITY);
        Optional<List<FeedEntry>> news = registrar.log().between(since, seq);
        RevocationFeed feed = news.isPresent()
                ? new RevocationFeed(state.issuer(), since, seq, oldest, false, asOf, news.get())
                : new RevocationFeed(state.issuer(), 0, seq, oldest, true, asOf, everything(state));
        KmsKey key = state.ring().active(Purpose.FEED);
        return feed.sign(key.kid(), kms.sign(key, feed.signingInput(key.kid())));
    }

    private static List<FeedEntry> everything(OfficeState state) {
        long seq = Math.max(1, state.seq());
        return state.revocations().entries().stream()
                .map(what -> new FeedEntry(seq, what, "kept"))
                .toList();
    }
}
