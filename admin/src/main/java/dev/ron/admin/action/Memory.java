package dev.ron.admin.action;

import dev.ron.admin.view.ActionResult;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What the console remembers of recent actions, so that none is done twice by accident; bounded, behind a lock. */
public final class Memory {
    private static final long KEY_LIFE = Duration.ofMinutes(10).toNanos();
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final int MAX_KEYS = 1024;
    private static final int MAX_SUBJECTS = 4096;

    private final LinkedHashMap<String, Known> keys = new LinkedHashMap<>();
    private final Map<String, Long> cooldowns = new HashMap<>();
    private final Map<String, ArrayDeque<Long>> bySubject = new HashMap<>();
    // In the order of their first refusals: the oldest go first, by time or to make room.
    private final LinkedHashMap<String, Refusals> refusals = new LinkedHashMap<>();

    private record Refusals(int count, long since) {}

    /** An action that was asked for: its answer, once there is one. */
    record Known(String what, long at, Optional<ActionResult> result) {}

    /** The answer that a key already has; the key is taken where it has none. */
    Optional<ActionResult> claim(String key, String what, long now) {
        keys.values().removeIf(known -> now - known.at() > KEY_LIFE);
        Known known = keys.get(key);
        if (known == null) {
            if (keys.size() >= MAX_KEYS) {
                throw busy("too many actions are remembered", 10);
            }
            keys.put(key, new Known(what, now, Optional.empty()));
            return Optional.empty();
        }
        if (!known.what().equals(what)) {
            throw new RonException(
                    Code.CONFLICT, "key_reused", "this Idempotency-Key was used for another action: take a new one");
        }
        return Optional.of(known.result()
                .orElseThrow(() -> new RonException(
                        Code.CONFLICT, "in_progress", "the same action is being done: wait for its answer")));
    }

    void settle(String key, ActionResult result) {
        keys.computeIfPresent(key, (k, known) -> new Known(known.what(), known.at(), Optional.of(result)));
    }

    /** The action was not done: the key may be used again. */
    void forget(String key) {
        keys.remove(key);
    }

    /** Counts an action against its subject and its node, or refuses it. */
    void admit(String subject, String nodeAndAction, int perMinute, Duration cooldown, long now) {
        ArrayDeque<Long> recent = recent(subject, now);
        if (recent.size() >= perMinute) {
            throw busy(
                    "you have done " + perMinute + " actions in a minute",
                    secondsLeft(recent.getFirst() + MINUTE, now));
        }
        cooldowns.values().removeIf(until -> until <= now);
        Long until = cooldowns.get(nodeAndAction);
        if (until != null) {
            throw busy("this was done to the node a moment ago", secondsLeft(until, now));
        }
        recent.addLast(now);
        if (!cooldown.isZero()) {
            cooldowns.put(nodeAndAction, now + cooldown.toNanos());
        }
    }

    /** How many actions of a subject were refused within a minute, this one included. */
    int refused(String subject, long now) {
        Iterator<Refusals> oldest = refusals.values().iterator();
        while (oldest.hasNext() && now - oldest.next().since() > MINUTE) {
            oldest.remove();
        }
        if (refusals.size() >= MAX_SUBJECTS && !refusals.containsKey(subject)) {
            refusals.pollFirstEntry();
        }
        return refusals.merge(
                        subject, new Refusals(1, now), (known, one) -> new Refusals(known.count() + 1, known.since()))
                .count();
    }

    private ArrayDeque<Long> recent(String subject, long now) {
        bySubject.values().forEach(times -> {
            while (!times.isEmpty() && now - times.getFirst() > MINUTE) {
                times.removeFirst();
            }
        });
        bySubject.values().removeIf(ArrayDeque::isEmpty);
        if (bySubject.size() >= MAX_SUBJECTS && !bySubject.containsKey(subject)) {
            throw busy("too many people act at once", 10);
        }
        return bySubject.computeIfAbsent(subject, k -> new ArrayDeque<>());
    }

    private static long secondsLeft(long until, long now) {
        return Math.max(1, (until - now + 999_999_999L) / 1_000_000_000L);
    }

    private static RonException busy(String detail, long seconds) {
        return new RonException(Code.BUSY, "busy", detail, Duration.ofSeconds(seconds), null);
    }
}
