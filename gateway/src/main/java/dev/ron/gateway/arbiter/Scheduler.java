package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Discipline;
import dev.ron.gateway.arbiter.drr.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * What the elected thread does: takes arrivals in, lets go who must, and grants slots.
 *
 * <p>Everything in here belongs to that thread. A job is put on the roll before anything else is done with it and
 * leaves it when it is answered, so that {@link #shedAll} finds every job whatever failed in between.
 */
final class Scheduler {
    /** Work per pass; more is left for the next, so that a loop gets back to its sockets. */
    private static final int BATCH = 64;

    private static final long EXPIRY_STEP_MICROS = 10_000;

    private final Arbiter arbiter;
    private final Occupancy occupancy;
    private final Inbox inbox;
    private final Tenants tenants;
    private final Roll roll;
    private final long maxQueueWaitMicros;
    private @Nullable Job arrivals; // taken from the inbox, not yet met
    private long nextExpiryLook;

    // For whom nobody gave way a moment ago; lets a flood be refused without asking again each time.
    private volatile @Nullable Tenant longest;

    Scheduler(Arbiter arbiter, Occupancy occupancy, Inbox inbox, Tenants tenants, ArbiterSettings settings) {
        this.arbiter = arbiter;
        this.occupancy = occupancy;
        this.inbox = inbox;
        this.tenants = tenants;
        this.roll = new Roll(settings.seats() + Word.DOORWAY);
        this.maxQueueWaitMicros = settings.maxQueueWait().toNanos() / 1_000;
    }

    /** One pass; true when it stopped early and there is more to do. */
    boolean pass(long now, boolean cancelled, Discipline discipline, Outbox out) {
        boolean moreArrivals = takeIn(now, discipline, out);
        if (Word.closed(occupancy.word())) {
            dismissAll(discipline, out);
        }
        if (cancelled) {
            dropCancelled(discipline);
        }
        if (now >= nextExpiryLook) {
            nextExpiryLook = now + EXPIRY_STEP_MICROS;
            longest = null;
            expire(now, discipline, out);
        }
        return grant(now, discipline, out) || moreArrivals;
    }

    boolean nobodyGivesWayTo(Tenant tenant) {
        return longest == tenant;
    }

    private boolean takeIn(long now, Discipline discipline, Outbox out) {
        for (int met = 0; met < BATCH; met++) {
            if (arrivals == null) {
                arrivals = inbox.takeAll();
            }
            Job job = arrivals;
            if (job == null) {
                return false;
            }
            arrivals = job.nextInLine;
            roll.add(job);
            meet(job, now, discipline, out);
        }
        return true;
    }

    private void meet(Job job, long now, Discipline discipline, Outbox out) {
        Tenant tenant = tenants.admit(job.tenant(), job.weight(), discipline.slotTimeMicros(), now);
        job.known = tenant;
        job.belongTo(tenant.flow());
        job.expiryMicros = Math.min(job.deadlineMicros(), job.arrivalMicros() + maxQueueWaitMicros);
        if (!job.isQueued()) {
            strike(job);
        } else if (job.place == Job.Place.SEAT || takeSeat(job, discipline, out)) {
            discipline.file(job, job.isRetry());
        }
    }

    /** From the doorway: a seat that came free meanwhile, or that of a job that gives way; else it is refused. */
    private boolean takeSeat(Job job, Discipline discipline, Outbox out) {
        if (!occupancy.sitDown()) {
            Tenant tenant = knownOf(job);
            Ticket tail = discipline.givesWayTo(job);
            if (!(tail instanceof Job victim)) {
                longest = job.isPart() ? null : tenant;
                refuse(job, Refusal.BUSY, out);
                return false;
            }
            // The seat changes hands: nobody else can take it in between.
            discipline.remove(victim);
            victim.place = Job.Place.DOORWAY;
            refuse(victim, Refusal.BUSY, out);
        }
        job.place = Job.Place.SEAT;
        return true;
    }

    private void expire(long now, Discipline discipline, Outbox out) {
        for (int i = roll.size() - 1; i >= 0; i--) {
            Job job = roll.get(i);
            if (job.expiryMicros <= now) {
                discipline.remove(job);
                refuse(job, whyExpired(job, now), out);
            }
        }
    }

    private static Refusal whyExpired(Job job, long now) {
        return job.deadlineMicros() <= now ? Refusal.DEADLINE : Refusal.QUEUE_TIMEOUT;
    }

    private void dropCancelled(Discipline discipline) {
        for (int i = roll.size() - 1; i >= 0; i--) {
            Job job = roll.get(i);
            if (!job.isQueued()) {
                discipline.remove(job);
                strike(job);
            }
        }
    }

    private void dismissAll(Discipline discipline, Outbox out) {
        for (int i = roll.size() - 1; i >= 0; i--) {
            Job job = roll.get(i);
            discipline.remove(job);
            refuse(job, Refusal.DRAINING, out);
        }
    }

    /** Grants while a slot can be taken below the limit and someone may run. */
    private boolean grant(long now, Discipline discipline, Outbox out) {
        for (int granted = 0; granted < BATCH; granted++) {
            long word = occupancy.word();
            if (roll.size() == 0 || Word.inFlight(word) >= Word.limit(word)) {
                return false;
            }
            Ticket next = discipline.choose(now, Word.inFlight(word), Word.limit(word));
            if (!(next instanceof Job job)) {
                return false;
            }
            discipline.remove(job);
            if (!job.isQueued()) {
                strike(job);
            } else if (job.expiryMicros <= now) {
                refuse(job, whyExpired(job, now), out);
            } else if (occupancy.promote()) {
                job.place = Job.Place.NONE;
                roll.remove(job);
                start(job, now, out);
            } else {
                discipline.file(job, true); // the limit shrank: back to where it was
                return false;
            }
        }
        return true;
    }

    private void start(Job job, long now, Outbox out) {
        Tenant tenant = knownOf(job);
        Slot slot = new Slot(arbiter, tenant.flow().usage(), job.loop(), now);
        if (job.grant(Job.State.QUEUED, slot)) {
            tenant.flow().usage().begin(now);
            tenant.waits().record(now - job.arrivalMicros());
            out.add(job);
        } else {
            occupancy.vacate(); // the client left at the last moment; the next in the loop may have it
        }
    }

    private static Tenant knownOf(Job job) {
        Tenant tenant = job.known;
        if (tenant == null) {
            throw new IllegalStateException("a job that was never met");
        }
        return tenant;
    }

    /** Answers everyone who is undecided without asking the order of service, which may have failed. */
    int shedAll(Outbox out) {
        int shed = 0;
        while (roll.size() > 0) {
            refuse(roll.get(roll.size() - 1), Refusal.SHED, out);
            shed++;
        }
        while (true) {
            if (arrivals == null) {
                arrivals = inbox.takeAll();
            }
            Job job = arrivals;
            if (job == null) {
                return shed;
            }
            arrivals = job.nextInLine;
            roll.add(job);
            refuse(job, Refusal.SHED, out);
            shed++;
        }
    }

    private void refuse(Job job, Refusal why, Outbox out) {
        strike(job);
        if (job.refuse(Job.State.QUEUED, why)) {
            if (job.known != null) {
                job.known.countRefusal(why);
            }
            out.add(job);
        }
    }

    /** Off the roll, and its place is free. */
    private void strike(Job job) {
        roll.remove(job);
        occupancy.leave(job.place);
        job.place = Job.Place.NONE;
    }
}
