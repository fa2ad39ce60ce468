package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.config.FillRouteConfig;
import dev.ron.edge.digest.Blake3;
import dev.ron.http.client.Target;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is known of objects costs a bounded amount of memory, however callers write their paths. */
class AssetIndexTest {
    private static final int MOST = 1 << 20;
    private static final String LONG = "x".repeat(2000);

    private final VirtualClock clock = new VirtualClock();
    private final AssetIndex index = new AssetIndex(MOST, clock);

    private static AssetKey key(int number) {
        URI base = URI.create("https://origin.test/");
        FillRouteConfig route = new FillRouteConfig(
                "o/",
                base,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
        return new AssetKey(route, Target.of(base.toString()), "/" + LONG + number);
    }

    private static Stored stored() {
        return new Stored(
                Blake3.hash(new byte[0]),
                0,
                "text/plain",
                Optional.empty(),
                Optional.empty(),
                Instant.EPOCH,
                Instant.EPOCH,
                Freshness.NOTHING_SAID);
    }

    private void purge(int number) {
        index.purge(key(number).name()::equals, Deadline.after(clock, Duration.ofMinutes(1)));
    }

    private static RonException missing() {
        return new RonException(Code.NOT_FOUND, "not_found", LONG);
    }

    @Test
    void longPathsThatLeadNowhereDoNotFillTheMemory() {
        for (int i = 0; i < 5000; i++) {
            index.miss(key(i), missing(), Duration.ofMinutes(1), 0);
        }
        long known = IntStream.range(0, 5000)
                .filter(i -> index.missing(key(i)).isPresent())
                .count();
        assertThat(known * 2 * LONG.length()).isPositive().isLessThanOrEqualTo(MOST / 4);
    }

    @Test
    void longPathsThatLeadSomewhereDoNotEither() {
        for (int i = 0; i < 5000; i++) {
            index.put(key(i), stored(), 0);
        }
        assertThat(index.size() * LONG.length()).isPositive().isLessThanOrEqualTo(MOST);
    }

    @Test
    void whatIsMissingIsForgottenWhenItsTimeIsOver() {
        index.miss(key(1), missing(), Duration.ofSeconds(5), 0);
        index.miss(key(2), missing(), Duration.ofSeconds(60), 0);
        clock.advance(Duration.ofSeconds(4));
        assertThat(index.missing(key(1))).isPresent();
        clock.advance(Duration.ofSeconds(1));
        assertThat(index.missing(key(1))).isEmpty();
        assertThat(index.missing(key(2))).isPresent();
    }

    // fetches under way | purges of some of them  ->  the others are kept
    @Test
    void aPurgeKeepsOutOnlyWhatItMeans() {
        purge(1);
        long since = index.purges();
        purge(2);
        purge(3);
        for (int i = 1; i <= 4; i++) {
            index.put(key(i), stored(), since);
        }
        assertThat(index.get(key(1))).isNotNull();
        assertThat(index.get(key(2))).isNull();
        assertThat(index.get(key(3))).isNull();
        assertThat(index.get(key(4))).isNotNull();
        index.put(key(2), stored(), index.purges());
        assertThat(index.get(key(2))).isNotNull();
    }

    // a purge that is looking | a fetch that begins before it has come to its key  ->  what that brings is not kept
    @Test
    void whatBeganDuringAPurgeIsNotKept() {
        index.put(key(1), stored(), 0);
        AtomicLong began = new AtomicLong(-1);
        index.purge(
                _ -> {
                    began.compareAndSet(-1, index.purges());
                    return true;
                },
                Deadline.after(clock, Duration.ofMinutes(1)));
        index.put(key(1), stored(), began.get());
        assertThat(index.get(key(1))).isNull();
        index.put(key(1), stored(), index.purges());
        assertThat(index.get(key(1))).isNotNull();
    }

    // a fetch under way | a purge, and then "not found"  ->  that is not remembered
    @Test
    void whatWasMissingBeforeAPurgeIsNotRemembered() {
        long since = index.purges();
        purge(1);
        index.miss(key(1), missing(), Duration.ofMinutes(1), since);
        index.miss(key(2), missing(), Duration.ofMinutes(1), since);
        assertThat(index.missing(key(1))).isEmpty();
        assertThat(index.missing(key(2))).isPresent();
    }

    // an object that the store has lost, fetched anew meanwhile | who found the old one lost  ->  the new one stays
    @Test
    void onlyWhatWasLostIsTakenOut() {
        Stored old = stored();
        Stored fresh = old.renewed(Instant.MAX, Instant.MAX, Freshness.NOTHING_SAID);
        index.put(key(1), fresh, 0);
        index.remove(key(1), old);
        assertThat(index.get(key(1))).isEqualTo(fresh);
        index.remove(key(1), fresh);
        assertThat(index.get(key(1))).isNull();
    }

    @Test
    void theValuesOfAQueryAreNotTold() {
        AssetKey key = new AssetKey(key(1).route(), key(1).origin(), "/a?sig=SECRET&v=1=2&flag&=x");
        assertThat(key).hasToString(key.origin() + "/a?sig=*&v=*&flag&=*");
        assertThat(key.name()).isEqualTo(key.origin() + "/a?sig=SECRET&v=1=2&flag&=x");
    }

    // a fetch under way | more purges than are remembered  ->  it is not kept, for it may have been meant
    @Test
    void whatMayHaveBeenPurgedIsNotKept() {
        for (int i = 1; i <= AssetIndex.PURGES; i++) {
            purge(i);
        }
        index.put(key(0), stored(), 0);
        assertThat(index.get(key(0))).isNotNull();
        index.remove(key(0));
        purge(0);
        for (int i = 1; i <= AssetIndex.PURGES; i++) {
            purge(i);
        }
        index.put(key(0), stored(), AssetIndex.PURGES);
        assertThat(index.get(key(0))).isNull();
        index.put(key(0), stored(), AssetIndex.PURGES + 1);
        assertThat(index.get(key(0))).isNotNull();
    }
}
