package dev.ron.gateway.arbiter.drr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An upstream with a number of slots in virtual time, served in the order a discipline chooses. */
final class Simulation {
    static final int CAPACITY = 512;

    final Shares shares = new Shares();
    final Discipline discipline;
    final int limit;
    final List<Tenant> tenants = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::sequence));
    long now;
    int inFlight;
    int waiting;
    private long sequence;
    private long nextTick = 100_000;

    Simulation(int limit) {
        this.limit = limit;
        this.discipline = new Drr(shares);
    }

    record Event(long at, long sequence, Runnable action) {}

    static final class Request extends Ticket {
        final Tenant tenant;
        final long number;
        final long arrived;
        final long duration;
        long started = -1;
        boolean refused;

        Request(Tenant tenant, long number, long arrived, long duration) {
            this.tenant = tenant;
            this.number = number;
            this.arrived = arrived;
            this.duration = duration;
        }
    }

    final class Tenant {
        final int weight;
        final LongSupplier duration;
        final Flow flow;
        final List<Long> waits = new ArrayList<>();
        final List<Long> servedOrder = new ArrayList<>();
        int keepQueued;
        int keepQueuedFor;
        long offered;
        long served;
        long refused;
        long slotMicros;

        Tenant(int weight, LongSupplier duration) {
            this.weight = weight;
            this.duration = duration;
            this.flow = new Flow(new Usage(), weight, discipline.slotTimeMicros(), now);
            shares.activate(flow, weight);
        }

        /** Keeps this many waiting from now on. */
        Tenant backlog(int queued) {
            keepQueued = queued;
            refill();
            return this;
        }

        void refill() {
            while (flow.waiting() < keepQueued) {
                offer();
            }
        }

        /** Offers a request now and then every so many microseconds. */
        Tenant every(long micros) {
            offer();
            at(now + micros, () -> every(micros));
            return this;
        }

        Request offer() {
            flow.seen(now);
            Request request = new Request(this, offered++, now, Math.max(1, duration.getAsLong()));
            request.belongTo(flow);
            if (waiting == CAPACITY) {
                Ticket victim = discipline.givesWayTo(request);
                refuse(victim == null ? request : (Request) victim, victim != null);
                if (victim == null) {
                    return request;
                }
            }
            waiting++;
            discipline.file(request, false);
            return request;
        }
    }

    Tenant tenant(int weight, LongSupplier duration) {
        Tenant tenant = new Tenant(weight, duration);
        tenants.add(tenant);
        return tenant;
    }

    Tenant tenant(int weight, long duration) {
        return tenant(weight, () -> duration);
    }

    void at(long when, Runnable action) {
        events.add(new Event(when, sequence++, action));
    }

    private void refuse(Request request, boolean filed) {
        request.refused = true;
        request.tenant.refused++;
        if (filed) {
            discipline.remove(request);
            waiting--;
        }
    }

    void cancel(Request request) {
        if (request.filed) {
            refuse(request, true);
        }
    }

    /** Grants whatever may run now. */
    void grant() {
        @Nullable Ticket next;
        while ((next = discipline.choose(now, inFlight, limit)) != null) {
            Request request = (Request) next;
            discipline.remove(request);
            waiting--;
            inFlight++;
            request.started = now;
            request.tenant.flow.usage().begin(now);
            request.tenant.served++;
            request.tenant.servedOrder.add(request.number);
            request.tenant.waits.add(now - request.arrived);
            request.tenant.refill();
            at(now + request.duration, () -> finish(request));
        }
    }

    private void finish(Request request) {
        inFlight--;
        request.tenant.flow.usage().end(request.started, now);
    }

    /** Runs until the given moment; slot time is counted as it passes, running exchanges included. */
    void runUntil(long end) {
        grant();
        while (true) {
            Event event = events.peek();
            long next = Math.min(event == null ? Long.MAX_VALUE : event.at(), nextTick);
            if (next > end) {
                pass(end);
                return;
            }
            pass(next);
            if (next == nextTick) {
                discipline.tick(now);
                nextTick += 100_000;
            }
            while (events.peek() != null && events.peek().at() <= now) {
                events.remove().action().run();
            }
            grant();
        }
    }

    private void pass(long until) {
        for (Tenant tenant : tenants) {
            tenant.slotMicros += tenant.flow.usage().held() * (until - now);
        }
        now = until;
    }
}
