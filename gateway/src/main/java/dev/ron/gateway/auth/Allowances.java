package dev.ron.gateway.auth;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.time.Clock;
import dev.ron.token.Reason;
import dev.ron.token.verify.Obligations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Counts what tokens limit across requests: rates, and budgets over a token's life.
 *
 * <p>A counter lives until its token has expired, and is never reset: where there is no room for another, the request is
 * denied. One root id has at most so many, since its holder can make branches without end.
 */
public final class Allowances {
    static final int PER_ROOT = 64;
    static final int IN_ALL = 65_536;
    private static final long SKEW_SECONDS = 300;

    private final Clock clock;
    private final AtomicInteger size = new AtomicInteger();
    private final Book<TokenBucket> rates = new Book<>(size);
    private final Book<Balance> budgets = new Book<>(size);

    private static final class Balance {
        private final AtomicLong requests;
        private final AtomicLong bytes;

        Balance(Obligations.Budget budget) {
            requests = full(budget.requests());
            bytes = full(budget.bytes());
        }
    }

    public Allowances(Clock clock) {
        this.clock = clock;
    }

    /** What is left for the body of an admitted request. */
    public static final class Purse {
        /** No budget speaks of bytes. */
        public static final Purse OPEN = new Purse(List.of());

        private final List<AtomicLong> left;

        private Purse(List<AtomicLong> left) {
            this.left = left;
        }

        /** Pays for bytes; false when a budget does not have them. */
        public boolean pay(long bytes) {
            for (int i = 0; i < left.size(); i++) {
                if (left.get(i).addAndGet(-bytes) < 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Charges a request; whoever has used up a rate or a budget is refused. */
    public Purse charge(Obligations owed, long rootExpiresAt) {
        if (owed.rates().isEmpty() && owed.budgets().isEmpty()) {
            return Purse.OPEN;
        }
        for (Obligations.Rate rate : owed.rates()) {
            TokenBucket bucket = rates.get(
                    rate.counter(),
                    rootExpiresAt,
                    Reason.CAV_RATE,
                    () -> new TokenBucket(clock, rate.perSecond(), Math.max(1, rate.burst())));
            long wait = bucket.tryTake();
            if (wait > 0) {
                throw new RonException(
                        Code.RATE_LIMITED,
                        Reason.CAV_RATE.wire(),
                        "the token allows " + rate.perSecond() + " requests a second",
                        Duration.ofNanos(wait),
                        null);
            }
        }
        List<AtomicLong> purses = new ArrayList<>();
        for (Obligations.Budget budget : owed.budgets()) {
            Balance balance =
                    budgets.get(budget.counter(), rootExpiresAt, Reason.CAV_BUDGET, () -> new Balance(budget));
            if (balance.requests.decrementAndGet() < 0) {
                throw spent("requests");
            }
            purses.add(balance.bytes);
        }
        return purses.isEmpty() ? Purse.OPEN : new Purse(purses);
    }

    public static RonException spent(String what) {
        return new RonException(
                Code.FORBIDDEN, Reason.CAV_BUDGET.wire(), "the token's budget of " + what + " is used up");
    }

    private static AtomicLong full(OptionalLong limit) {
        return new AtomicLong(limit.orElse(Long.MAX_VALUE));
    }

    /** Lets go of counters whose tokens nobody accepts any more; now and then, by one task. */
    public void sweep() {
        long now = clock.now().getEpochSecond();
        rates.sweep(now);
        budgets.sweep(now);
    }

    int size() {
        return size.get();
    }

    /** The counters of one kind. */
    private static final class Book<T> {
        private final AtomicInteger all;
        private final ConcurrentMap<Obligations.Counter, Line<T>> lines = new ConcurrentHashMap<>();
        private final ConcurrentMap<String, AtomicInteger> byRoot = new ConcurrentHashMap<>();

        private record Line<T>(T value, long expiresAt) {}

        Book(AtomicInteger all) {
            this.all = all;
        }

        T get(Obligations.Counter counter, long expiresAt, Reason otherwise, Supplier<T> fresh) {
            Line<T> known = lines.get(counter);
            if (known != null) {
                return known.value();
            }
            AtomicInteger ofRoot = byRoot.computeIfAbsent(root(counter), key -> new AtomicInteger());
            if (!take(ofRoot, PER_ROOT)) {
                throw new RonException(Code.FORBIDDEN, otherwise.wire(), "the token has too many counted branches");
            }
            if (!take(all, IN_ALL)) {
                ofRoot.decrementAndGet();
                throw new RonException(Code.FORBIDDEN, otherwise.wire(), "no room to count for another token");
            }
            Line<T> mine = new Line<>(fresh.get(), expiresAt);
            Line<T> earlier = lines.putIfAbsent(counter, mine);
            if (earlier != null) {
                all.decrementAndGet();
                ofRoot.decrementAndGet();
                return earlier.value();
            }
            return mine.value();
        }

        private static String root(Obligations.Counter counter) {
            return counter.iss() + '\n' + counter.tokenId();
        }

        private static boolean take(AtomicInteger count, int limit) {
            int now = count.get();
            while (now < limit) {
                if (count.compareAndSet(now, now + 1)) {
                    return true;
                }
                now = count.get();
            }
            return false;
        }

        void sweep(long now) {
            lines.forEach((counter, line) -> {
                if (line.expiresAt() + SKEW_SECONDS < now && lines.remove(counter, line)) {
                    all.decrementAndGet();
                    byRoot.computeIfPresent(root(counter), (key, count) -> count.decrementAndGet() <= 0 ? null : count);
                }
            });
        }
    }
}
