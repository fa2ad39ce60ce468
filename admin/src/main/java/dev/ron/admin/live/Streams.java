package dev.ron.admin.live;

import dev.ron.admin.auth.Identity;
import dev.ron.admin.auth.Role;
import dev.ron.admin.view.LiveEvent;
import dev.ron.http.loop.Timeout;
import dev.ron.http.server.Exchange;
import dev.ron.http.sse.SseEvent;
import dev.ron.http.sse.SseTopic;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of events, within their bounds, and the last events for those who come back.
 *
 * <p>There are two topics: what everybody may see, and the same with the audit log. An event is remembered before it is
 * sent, so a stream that opens meanwhile either gets it or learns that it may have missed something.
 */
public final class Streams {
    private static final int REMEMBERED = 1024;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /** A stream is opened anew at least this often, and its owner looked at again. */
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final SseTopic viewers;
    private final SseTopic operators;
    private final Permits bound;
    private final int perSubject;
    private final Clock clock;
    private final LongSupplier fleetVersion;
    private final LongSupplier configVersion;
    private final Map<String, Integer> bySubject = new ConcurrentHashMap<>();
    private final Map<String, Integer> wanted = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong(1);
    private final Snapshot<List<Remembered>> last = new Snapshot<>(List.of());

    private record Remembered(long id, SseEvent event, boolean operatorsOnly) {}

    public Streams(
            Permits bound,
            int perSubject,
            Clock clock,
            Meter meter,
            LongSupplier fleetVersion,
            LongSupplier configVersion) {
        this.viewers = new SseTopic("sse", HEARTBEAT, meter);
        this.operators = new SseTopic("sse", HEARTBEAT, meter);
        this.bound = bound;
        this.perSubject = perSubject;
        this.clock = clock;
        this.fleetVersion = fleetVersion;
        this.configVersion = configVersion;
    }

    public int open() {
        return bound.inUse();
    }

    public int limit() {
        return bound.limit();
    }

    /** Whether a stream has asked for the numbers of a node. */
    boolean wants(String nodeId) {
        return wanted.containsKey(nodeId);
    }

    /** Sends an event to all who may see it; called by the hub alone. */
    void publish(String type, String data, boolean operatorsOnly) {
        long id = next.getAndIncrement();
        SseEvent event = new SseEvent(Long.toString(id), type, data);
        List<Remembered> kept = new ArrayList<>(last.get());
        if (kept.size() == REMEMBERED) {
            kept.removeFirst();
        }
        kept.add(new Remembered(id, event, operatorsOnly));
        last.publish(List.copyOf(kept));
        operators.publish(event);
        if (!operatorsOnly) {
            viewers.publish(event);
        }
    }

    /** Takes a place for a stream; whoever gets one must open it, or give it back. */
    public Place reserve(Identity identity, Set<String> nodes) {
        if (!bound.tryAcquire()) {
            throw new RonException(
                    Code.BUSY, "busy", "all " + bound.limit() + " streams are in use", Duration.ofSeconds(5), null);
        }
        int mine = bySubject.merge(identity.subject(), 1, Integer::sum);
        nodes.forEach(id -> wanted.merge(id, 1, Integer::sum));
        Place place = new Place(identity, nodes);
        if (mine > perSubject) {
            place.giveBack();
            throw new RonException(
                    Code.BUSY, "busy", "one person may open " + perSubject + " streams", Duration.ofSeconds(5), null);
        }
        return place;
    }

    /** The right to one stream. */
    public final class Place {
        private final Identity identity;
        private final Set<String> nodes;
        private @Nullable Timeout end; // on the loop only
        private final java.util.concurrent.atomic.AtomicBoolean given = new java.util.concurrent.atomic.AtomicBoolean();

        private Place(Identity identity, Set<String> nodes) {
            this.identity = identity;
            this.nodes = nodes;
        }

        public void giveBack() {
            if (given.compareAndSet(false, true)) {
                bySubject.compute(identity.subject(), (k, n) -> n == null || n <= 1 ? null : n - 1);
                nodes.forEach(id -> wanted.compute(id, (k, n) -> n == null || n <= 1 ? null : n - 1));
                bound.release();
            }
        }

        /** Answers with the stream; on the exchange's loop. */
        public void open(Exchange exchange, String lastEventId) {
            boolean operator = identity.has(Role.OPERATOR);
            List<Remembered> known = last.get();
            List<SseEvent> replay = new ArrayList<>();
            boolean resumed = replay(known, lastEventId, operator, replay);
            replay.addFirst(EventHub.event(
                    "", "hello", new LiveEvent.Hello(fleetVersion.getAsLong(), configVersion.getAsLong(), resumed)));
            if (!resumed && !lastEventId.isEmpty()) {
                replay.add(EventHub.event("", "lagged", new LiveEvent.Lagged(0)));
            }
            SseTopic.Listener listener = (operator ? operators : viewers).subscribe(exchange, replay, this::over);
            if (!last.get().equals(known)) {
                // Something was sent between the look and the subscription: the caller reads everything again.
                listener.send(EventHub.event("", "lagged", new LiveEvent.Lagged(0)));
            }
            endInTime(exchange, listener);
        }

        private void over() {
            Timeout mine = end;
            if (mine != null) {
                mine.cancel();
            }
            giveBack();
        }

        private void endInTime(Exchange exchange, SseTopic.Listener listener) {
            Duration life = identity.expiresAt()
                    .map(end -> Duration.between(clock.now(), end))
                    .filter(left -> left.compareTo(LONGEST) < 0)
                    .orElse(LONGEST);
            boolean expires = life.compareTo(LONGEST) < 0;
            Timeout mine = new Timeout(exchange.timers()) {
                @Override
                protected void expired() {
                    if (!exchange.over()) {
                        if (expires) {
                            listener.send(EventHub.event("", "bye", new LiveEvent.Bye("expired")));
                        }
                        listener.end();
                    }
                }
            };
            end = mine;
            mine.after(Math.max(1, life.toNanos()));
        }
    }

    /** True where everything since the caller's last event is still here. */
    private static boolean replay(List<Remembered> known, String lastEventId, boolean operator, List<SseEvent> to) {
        long seen;
        try {
            seen = lastEventId.isEmpty() ? 0 : Long.parseLong(lastEventId);
        } catch (NumberFormatException _) {
            return false;
        }
        if (seen == 0
                || known.isEmpty()
                || seen < known.getFirst().id() - 1
                || seen > known.getLast().id()) {
            return false;
        }
        for (Remembered one : known) {
            if (one.id() > seen && (operator || !one.operatorsOnly())) {
                to.add(one.event());
            }
        }
        // More would push out what it is meant to follow: reading everything again is cheaper.
        if (to.size() > 32) {
            to.clear();
            return false;
        }
        return true;
    }
}
