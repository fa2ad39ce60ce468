package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Discipline;
import dev.ron.gateway.arbiter.drr.Drr;
import dev.ron.gateway.arbiter.drr.Shares;
import dev.ron.gateway.arbiter.drr.Usage;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may use one upstream: at most so many at once, fair between tenants by the time they hold it.
 *
 * <p>While nobody waits, an arrival and its release are one compare-and-set each on {@link Occupancy}. Otherwise the job
 * gets a seat there, goes to the {@link Scheduler} through the {@link Inbox}, and is answered on its loop. Every method
 * may be called from any thread, never waits, and takes the time from its caller.
 */
public final class Arbiter {
    private final ArbiterSettings settings;
    private final Executor home;
    private final ArbiterWatch watch;
    private final Occupancy occupancy;
    private final Inbox inbox = new Inbox();
    private final Tenants tenants;
    private final AtomicInteger streams = new AtomicInteger();
    private final Housekeeping housekeeping;
    private final Scheduler scheduler;
    private final Drainer drainer;

    /** {@code home} is the loop that ticks, and goes on with the work when a thread that is no loop has begun it. */
    public Arbiter(ArbiterSettings settings, Executor home, ArbiterWatch watch) {
        this(settings, home, watch, Drr::new);
    }

    Arbiter(ArbiterSettings settings, Executor home, ArbiterWatch watch, Function<Shares, Discipline> fair) {
        this.settings = settings;
        this.home = home;
        this.watch = watch;
        this.occupancy = new Occupancy(settings.limit(), settings.seats());
        this.tenants = new Tenants(settings.maxTenants());
        this.housekeeping = new Housekeeping(occupancy, tenants, streams);
        this.scheduler = new Scheduler(this, occupancy, inbox, tenants, settings);
        this.drainer = new Drainer(scheduler, housekeeping, tenants, fair, watch);
    }

    /** Asks for a slot, on the job's own loop; the answer may come before this returns. */
    public void arrive(Job job, long nowNanos) {
        long now = nowNanos / 1_000;
        Tenant tenant = tenants.find(job.tenant());
        boolean mayKnock = tenant == null || !scheduler.nobodyGivesWayTo(tenant);
        switch (occupancy.enter(keepFree(tenant, job, now), mayKnock)) {
            case SLOT -> runNow(job, tenant, now);
            case SEAT -> queue(job, Job.Place.SEAT, now);
            case DOORWAY -> queue(job, Job.Place.DOORWAY, now);
            case FULL -> refuse(job, tenant, Refusal.BUSY);
            case CLOSED -> refuse(job, tenant, Refusal.DRAINING);
        }
    }

    /**
     * The client left: true when the job was still undecided and will now hear nothing. False when its answer was first;
     * if that is a slot, whoever holds it aborts the exchange and releases it.
     */
    public boolean cancel(Job job, long nowNanos) {
        if (job.cancel(Job.State.NEW)) {
            return true;
        }
        if (!job.cancel(Job.State.QUEUED)) {
            return false;
        }
        drainer.wakeToDropCancelled(nowNanos / 1_000, job.loop());
        return true;
    }

    /** To be called every ten milliseconds or so: expiry, charging of what runs, forgetting. */
    public void tick(long nowNanos) {
        long now = nowNanos / 1_000;
        drainer.rescue(now, home);
        if (Word.anyQueued(occupancy.word()) || housekeeping.due(now)) {
            drainer.wake(now, home, null);
        }
    }

    /** Changes the limit; at or above it nothing is admitted from this instant on, what runs goes on. */
    public void resize(int limit, long nowNanos) {
        occupancy.resize(limit);
        drainer.wake(nowNanos / 1_000, home, null);
    }

    /** Refuses everything from now on, and all that is queued; what runs goes on. */
    public void drain(long nowNanos) {
        occupancy.close();
        drainer.wake(nowNanos / 1_000, home, null);
    }

    /** How it stands; if another thread leads at this moment, how it stood at the last look. */
    public ArbiterView view(long nowNanos) {
        housekeeping.ask();
        drainer.wake(nowNanos / 1_000, home, null);
        return housekeeping.view();
    }

    /** Slots taken at this instant. */
    public int inFlight() {
        return Word.inFlight(occupancy.word());
    }

    /** Jobs with a seat at this instant. */
    public int waiting() {
        return Word.waiting(occupancy.word());
    }

    void released(long now, Executor loop) {
        if (occupancy.vacate()) {
            drainer.wake(now, loop, null);
        }
    }

    Optional<StreamPermit> openStream(Usage usage) {
        if (!usage.tryOpenStream(settings.maxStreamsPerTenant())) {
            return Optional.empty();
        }
        int open = streams.get();
        while (open < settings.maxStreams()) {
            if (streams.compareAndSet(open, open + 1)) {
                return Optional.of(new StreamPermit(streams, usage));
            }
            open = streams.get();
        }
        usage.closeStream();
        return Optional.empty();
    }

    /**
     * How many slots the tenant must leave free to run without queueing: none below its share, else the reserve. Who is not
     * counted in the shares yet, or with another weight, queues first: the shares must change before it holds a slot.
     */
    private int keepFree(@Nullable Tenant tenant, Job job, long now) {
        if (!drainer.isFair()) {
            return tenant == null ? Word.QUEUE_FIRST : 0;
        }
        if (tenant == null || !tenant.flow().active() || tenant.flow().weight() != job.weight()) {
            return Word.QUEUE_FIRST;
        }
        tenant.flow().seen(now);
        int limit = Word.limit(occupancy.word());
        Shares shares = tenants.shares();
        return shares.below(tenant.flow(), limit) ? 0 : shares.reserve(limit);
    }

    private void runNow(Job job, @Nullable Tenant tenant, long now) {
        if (tenant == null) {
            throw new IllegalStateException("a slot for a tenant never met");
        }
        Usage usage = tenant.flow().usage();
        Slot slot = new Slot(this, usage, job.loop(), now);
        if (job.grant(Job.State.NEW, slot)) {
            usage.begin(now);
            Outbox.tell(job, watch);
        } else {
            released(now, job.loop()); // cancelled before it arrived
        }
    }

    private void queue(Job job, Job.Place place, long now) {
        job.place = place;
        if (!job.enterQueue()) {
            occupancy.leave(place); // cancelled before it arrived
            return;
        }
        inbox.put(job);
        drainer.wake(now, job.loop(), job);
    }

    private void refuse(Job job, @Nullable Tenant tenant, Refusal why) {
        if (job.refuse(Job.State.NEW, why)) {
            if (tenant != null) {
                tenant.countRefusal(why);
            }
            Outbox.tell(job, watch);
        }
    }
}
