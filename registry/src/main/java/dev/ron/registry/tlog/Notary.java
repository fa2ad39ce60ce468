package dev.ron.registry.tlog;

import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.time.Clock;
import dev.ron.ledger.note.NoteSigner;
import dev.ron.ledger.note.SignedNote;
import dev.ron.registry.book.View;
import java.time.Duration;

/**
 * Signs checkpoints of durable sizes, and signs anew after a while so that a reader can tell a frozen view.
 *
 * <p>It is given views only, and a view holds nothing that is not on disk: so it can never sign two histories.
 */
public final class Notary {
    private final NoteSigner identity;
    private final NoteSigner freshness;
    private final Clock clock;
    private final long republishNanos;
    private final Snapshot<Signed> latest;

    /** A signed checkpoint and when it was signed. */
    public record Signed(SignedNote note, long size, long atNanos) {}

    public Notary(LogKeys keys, View first, Clock clock, Duration republish) {
        String origin = first.ledger().genesis().origin();
        this.identity = keys.identity(origin);
        this.freshness = keys.freshness(origin);
        this.clock = clock;
        this.republishNanos = republish.toNanos();
        this.latest = new Snapshot<>(sign(first));
    }

    /** A checkpoint of exactly this view, not older than the republishing interval. */
    public SignedNote checkpoint(View view) {
        Signed known = latest.get();
        if (known.size() == view.version() && clock.nanos() - known.atNanos() < republishNanos) {
            return known.note();
        }
        Signed fresh = sign(view);
        if (fresh.size() >= latest.get().size()) {
            latest.publish(fresh);
        }
        return fresh.note();
    }

    private Signed sign(View view) {
        SignedNote note = view.ledger().checkpoint().sign(clock.now().getEpochSecond(), identity, freshness);
        return new Signed(note, view.version(), clock.nanos());
    }

    /** How old the newest checkpoint is. */
    public double ageSeconds() {
        return (clock.nanos() - latest.get().atNanos()) / 1e9;
    }

    public NoteSigner identity() {
        return identity;
    }

    public NoteSigner freshness() {
        return freshness;
    }
}
