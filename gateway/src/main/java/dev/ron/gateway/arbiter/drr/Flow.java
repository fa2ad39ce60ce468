package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.Nullable;

/**
 * One tenant at one upstream: its queue, its weight, and its account of slot time.
 *
 * <p>The account is a state, not a sum of events: what the tenant owes is always its finished time plus the larger of
 * the running time and the estimate for what runs. {@link #settle} books the difference to the last look. So a call
 * that turns out long is charged while it runs, a short one is refunded, and nothing is charged twice.
 */
public final class Flow {
    /** Debt and credit beyond this, per unit of weight, lapse: a tenant pays, and is paid, for its recent past only. */
    static final long ACCOUNT_MICROS = 1_000_000;

    private static final int SLOT_TIME_SPAN = 8;

    private final Usage usage;
    private final SlotTime slotTime;
    private final TicketList queue = new TicketList();
    private @Nullable PartedList parts; // only for a tenant that is many callers under one name
    private long deficit;
    private long charged;
    private long creditSeen;
    private long finishedSeen;
    private long finishedMicrosSeen;

    @Nullable
    FlowRing ring;

    @Nullable
    Flow previous;

    @Nullable
    Flow next;

    // Written by the scheduler, read by arriving threads as a hint.
    private volatile int weight;
    private volatile int waiting;
    private volatile boolean active;
    private volatile long lastSeen;

    /** A flow without debt or credit; time used before now is bygone. */
    public Flow(Usage usage, int weight, long slotTimeGuess, long now) {
        this.usage = usage;
        this.weight = weight;
        this.slotTime = new SlotTime(slotTimeGuess, SLOT_TIME_SPAN);
        this.finishedSeen = usage.finished();
        this.finishedMicrosSeen = usage.finishedMicros();
        this.charged = owed(now);
        this.lastSeen = now;
    }

    public Usage usage() {
        return usage;
    }

    public int weight() {
        return weight;
    }

    public int waiting() {
        return waiting;
    }

    /** Whether it counts in the shares; the scheduler alone changes it. */
    public boolean active() {
        return active;
    }

    public long deficitMicros() {
        return deficit;
    }

    public long slotTimeMicros() {
        return slotTime.micros();
    }

    public long lastSeen() {
        return lastSeen;
    }

    /** Notes an arrival; coarse, so that loops do not fight for the cache line. */
    public void seen(long now) {
        if (now - lastSeen > 100_000) {
            lastSeen = now;
        }
    }

    /** Nothing waits, runs or streams. */
    public boolean idle() {
        return waiting == 0 && usage.held() == 0 && usage.streams() == 0;
    }

    void reweigh(int newWeight) {
        weight = newWeight;
    }

    void activate(boolean nowActive) {
        active = nowActive;
    }

    // ---- the queue

    @Nullable
    Ticket first() {
        return parts == null || queue.size() > 0 ? queue.first() : parts.first();
    }

    @Nullable
    Ticket last() {
        return parts == null || parts.size() == 0 ? queue.last() : parts.last();
    }

    boolean isEmpty() {
        return size() == 0;
    }

    private int size() {
        return queue.size() + (parts == null ? 0 : parts.size());
    }

    /** The one of a longer part that gives way to a newcomer of this part, or null. */
    @Nullable
    Ticket givesWayWithin(int part) {
        PartedList all = parts;
        Ticket tail = all == null || part == 0 ? null : all.last();
        return tail != null && all != null && all.sizeOf(tail.part()) > all.sizeOf(part) + 1 ? tail : null;
    }

    void add(Ticket ticket, boolean first) {
        if (ticket.part() != 0) {
            if (parts == null) {
                parts = new PartedList();
            }
            parts.add(ticket, first);
        } else if (first) {
            queue.addFirst(ticket);
        } else {
            queue.addLast(ticket);
        }
        waiting = size();
    }

    void remove(Ticket ticket) {
        if (ticket.part() != 0 && parts != null) {
            parts.remove(ticket);
        } else {
            queue.remove(ticket);
        }
        waiting = size();
    }

    // ---- the account

    /** Books the rounds and the use since the last look. */
    void settle(long now, long creditPerWeight, SlotTime upstream) {
        learn(upstream);
        long owed = owed(now);
        long earned = ring == null ? 0 : (creditPerWeight - creditSeen) * weight;
        deficit = Math.clamp(deficit + earned - (owed - charged), -ACCOUNT_MICROS * weight, ACCOUNT_MICROS * weight);
        charged = owed;
        creditSeen = creditPerWeight;
    }

    boolean hasCredit() {
        return deficit > 0;
    }

    /** How many rounds of credit bring it above zero. */
    long roundsMissing(long quantum) {
        return hasCredit() ? 0 : -deficit / (weight * quantum) + 1;
    }

    /** Back after an absence: no rounds for the time away, and a first one only for who owes nothing. */
    void join(long creditPerWeight, long quantum) {
        creditSeen = creditPerWeight;
        if (deficit == 0) {
            deficit = weight * quantum;
        }
    }

    /** Unused credit is not carried away; debt is. */
    void leave() {
        deficit = Math.min(deficit, 0);
    }

    private long owed(long now) {
        return usage.finishedMicros() + Math.max(usage.held() * slotTime.micros(), usage.runningMicros(now));
    }

    private void learn(SlotTime upstream) {
        long finished = usage.finished();
        long samples = finished - finishedSeen;
        if (samples <= 0) {
            return;
        }
        long micros = usage.finishedMicros();
        long mean = (micros - finishedMicrosSeen) / samples;
        slotTime.learn(mean, samples);
        upstream.learn(mean, samples);
        finishedSeen = finished;
        finishedMicrosSeen = micros;
    }
}
