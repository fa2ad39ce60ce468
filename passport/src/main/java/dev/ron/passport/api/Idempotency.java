package dev.ron.passport.api;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.json.Base64Url;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Answers a repeated request as it answered the first; kept in RAM for a minute, per credential and key.
 *
 * <p>While the first is being worked on a repetition is refused, so that one key never does a thing twice. A request that
 * failed is forgotten: it may be tried again.
 */
final class Idempotency {
    static final int MAX_ENTRIES = 8192;
    static final int PER_CLIENT = MAX_ENTRIES / 4;

    private static final Duration KEPT = Duration.ofSeconds(60);
    private static final int MAX_KEY = 128;

    private final Clock clock;
    private final Meter.Count replays;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    // Counted apart from the map: its size is an estimate while others write.
    private final AtomicInteger count = new AtomicInteger();
    private final Map<String, Integer> byClient = new ConcurrentHashMap<>();

    private record Entry(String client, String body, long until, Optional<Response> answer) {}

    Idempotency(Clock clock, Meter meter) {
        this.clock = clock;
        this.replays = meter.counter("svc_passport_idempotent_replays_total");
    }

    /** The key of a request that has one. */
    static Optional<String> key(Request request) {
        Optional<String> key = request.headers().first("Idempotency-Key");
        if (key.isPresent() && (key.get().isEmpty() || key.get().length() > MAX_KEY)) {
            throw Inputs.bad("bad_request", "Idempotency-Key (expected: 1.." + MAX_KEY + " characters)");
        }
        return key;
    }

    Response once(Caller caller, Optional<String> key, byte[] body, Supplier<Response> action) {
        if (key.isEmpty()) {
            return action.get();
        }
        String id = Base64Url.encode(Sha256.ofAscii(caller.credential() + "\n" + key.get()));
        Entry mine = new Entry(
                caller.client().id(),
                Base64Url.encode(Sha256.of(body)),
                clock.nanos() + KEPT.toNanos(),
                Optional.empty());
        Optional<Response> known = claim(id, mine);
        if (known.isPresent()) {
            replays.increment();
            return known.get();
        }
        boolean done = false;
        try {
            Response answer = action.get();
            entries.replace(id, mine, new Entry(mine.client(), mine.body(), mine.until(), Optional.of(answer)));
            done = true;
            return answer;
        } finally {
            if (!done) {
                forget(id, mine);
            }
        }
    }

    /** Empty if the id is ours now. */
    private Optional<Response> claim(String id, Entry mine) {
        while (true) {
            Entry found = entries.get(id);
            if (found == null) {
                makeRoom(mine.client());
                if (entries.putIfAbsent(id, mine) == null) {
                    return Optional.empty();
                }
                release(mine.client());
            } else if (found.answer().isPresent() && clock.nanos() - found.until() >= 0) {
                if (entries.replace(id, found, mine)) {
                    return Optional.empty();
                }
            } else {
                return Optional.of(answer(found, mine));
            }
        }
    }

    private static Response answer(Entry found, Entry mine) {
        if (!Sha256.same(found.body(), mine.body())) {
            throw new RonException(
                    Code.CONFLICT, "idempotency_conflict", "this key was used with another body a moment ago");
        }
        return found.answer()
                .orElseThrow(() -> new RonException(
                        Code.CONFLICT, "idempotency_in_progress", "the first request with this key is not done yet"));
    }

    private void makeRoom(String client) {
        if (reserve(client)) {
            return;
        }
        long now = clock.nanos();
        entries.forEach((id, entry) -> {
            if (entry.answer().isPresent() && now - entry.until() >= 0) {
                forget(id, entry);
            }
        });
        if (!reserve(client)) {
            throw new RonException(
                    Code.BUSY,
                    "busy",
                    "more than " + PER_CLIENT + " idempotency keys of a client, or " + MAX_ENTRIES
                            + " in all, within a minute",
                    Duration.ofSeconds(1),
                    null);
        }
    }

    private boolean reserve(String client) {
        int all = count.incrementAndGet();
        if (byClient.merge(client, 1, Integer::sum) <= PER_CLIENT && all <= MAX_ENTRIES) {
            return true;
        }
        release(client);
        return false;
    }

    private void forget(String id, Entry entry) {
        if (entries.remove(id, entry)) {
            release(entry.client());
        }
    }

    private void release(String client) {
        count.decrementAndGet();
        byClient.computeIfPresent(client, (_, used) -> used == 1 ? null : used - 1);
    }
}
