package dev.ron.passport.office;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
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
    private record Whole(Optional<OfficeState> of, long asOf, Reply<Optional<byte[]>> document) {
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

    // After a restart every verifier asks for all of it at once, and all of it may be megabytes. Where who writes
    // it fails, who waited tries once more.
    private byte[] whole(OfficeState state, long asOf) {
        return written(state, asOf)
                .or(() -> written(state, asOf))
                .orElseThrow(() -> new RonException(
                        Code.BUSY, "busy", "the feed could not be written", Duration.ofSeconds(1), null));
    }

    /** The document of this second; empty where another caller could not write it. */
    private Optional<byte[]> written(OfficeState state, long asOf) {
        Whole mine = new Whole(Optional.of(state), asOf, new Reply<>());
        Whole first = latest.updateAndGet(known -> known.is(state, asOf) ? known : mine);
        CallContext caller = CallContext.current();
        if (first.equals(mine)) {
            // Others wait for it too: it may take as long as the key service may, not as its first reader has.
            CallContext.of(Deadline.never(clock), caller.corrId()).run(() -> write(state, mine));
        }
        return first.document().share(caller.deadline());
    }

    private void write(OfficeState state, Whole mine) {
        Optional<byte[]> document = Optional.empty();
        try {
            long seq = state.seq();
            document = Optional.of(signed(
                    state,
                    new RevocationFeed(state.issuer(), 0, seq, oldest(seq), true, mine.asOf(), everything(state))));
        } finally {
            if (document.isEmpty()) {
                latest.compareAndSet(mine, Whole.NONE); // before they hear of it, so that they do not wait for it again
            }
            mine.document().complete(document);
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
