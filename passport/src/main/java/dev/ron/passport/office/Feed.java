package dev.ron.passport.office;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.kms.Kms;
import dev.ron.passport.kms.KmsKey;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.RevocationFeed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Writes the signed revocation feed. */
public final class Feed {
    private final Registrar registrar;
    private final Kms kms;
    private final Clock clock;
    private final AtomicReference<Whole> latest = new AtomicReference<>(Whole.NONE);

    /** The whole set as it is signed in one second, written once however many ask for it. */
    private record Whole(Optional<OfficeState> of, long asOf, Reply<byte[]> document) {
        static final Whole NONE = new Whole(Optional.empty(), 0, new Reply<>());

        boolean is(OfficeState state, long second) {
            return asOf == second && of.equals(Optional.of(state));
        }
    }

    public Feed(Registrar registrar, Kms kms, Clock clock) {
        this.registrar = registrar;
        this.kms = kms;
        this.clock = clock;
    }

    /** The entries after {@code since}, or all of them where that cannot be told. */
    public byte[] document(long since) {
        // Read before the state: the document must not claim to be newer than what it holds.
        long asOf = clock.now().getEpochSecond();
        OfficeState state = registrar.state();
        long seq = state.seq();
        Optional<List<FeedEntry>> news = registrar.log().between(since, seq);
        return news.isPresent()
                ? signed(state, new RevocationFeed(state.issuer(), since, seq, oldest(seq), false, asOf, news.get()))
                : whole(state, asOf);
    }

    // After a restart every verifier asks for all of it at once, and all of it may be megabytes.
    private byte[] whole(OfficeState state, long asOf) {
        Whole mine = new Whole(Optional.of(state), asOf, new Reply<>());
        Whole first = latest.updateAndGet(known -> known.is(state, asOf) ? known : mine);
        if (!first.equals(mine)) {
            return first.document().await(CallContext.current().deadline());
        }
        try {
            long seq = state.seq();
            byte[] document = signed(
                    state, new RevocationFeed(state.issuer(), 0, seq, oldest(seq), true, asOf, everything(state)));
            mine.document().complete(document);
            return document;
        } finally {
            // Nothing, where it was completed; who waits asks again, and for what was not signed nobody waits again.
            if (mine.document()
                    .fail(new RonException(
                            Code.BUSY, "busy", "the feed could not be written", Duration.ofSeconds(1), null))) {
                latest.compareAndSet(mine, Whole.NONE);
            }
        }
    }

    private byte[] signed(OfficeState state, RevocationFeed feed) {
        KmsKey key = state.ring().active(Purpose.FEED);
        return feed.sign(key.kid(), kms.sign(key, feed.signingInput(key.kid()))).getBytes(StandardCharsets.UTF_8);
    }

    private static long oldest(long seq) {
        return Math.max(0, seq - FeedLog.CAPACITY);
    }

    private static List<FeedEntry> everything(OfficeState state) {
        long seq = Math.max(1, state.seq());
        return state.revocations().entries().stream()
                .map(what -> new FeedEntry(seq, what, "kept"))
                .toList();
    }
}
