package dev.ron.gateway.arbiter.drr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deficit round robin whose currency is slot time.
 *
 * <p>Charging requests would be fair on paper only: eight five-second calls pin eight slots and cost as much as eight
 * short ones. Here a tenant pays for as long as it holds a slot. Two rules work together: shares bound how many slots a
 * tenant holds while others want some; deficits even out what shares cannot, fractions of a slot and the past.
 *
 * <p>NEW and OLD are the lists of fq_codel: who comes after an absence is served first, but an emptied NEW flow has to
 * pass through OLD before it can be new again, so that switching on and off gains nothing.
 */
public final class Drr implements Discipline {
    private static final long FIRST_GUESS_MICROS = 1_000;
    private static final int SLOT_TIME_SPAN = 32;
    private static final long NOBODY = Long.MAX_VALUE;

    private final Shares shares;
    private final SlotTime slotTime = new SlotTime(FIRST_GUESS_MICROS, SLOT_TIME_SPAN);
    private final FlowRing fresh = new FlowRing();
    private final FlowRing old = new FlowRing();
    private final List<FlowRing> rings = List.of(fresh, old);

    // All rounds so far, per unit of weight. Rounds are common to all that wait, also to who is kept from running by
    // its
    // share: given by visit, credit would depend on who may run when, and shares would drift from the weights.
    private long creditPerWeight;

    public Drr(Shares shares) {
        this.shares = shares;
    }

    @Override
    public void file(Ticket ticket, boolean first) {
        Flow flow = ticket.home();
        flow.add(ticket, first);
        if (flow.ring == null) {
            flow.join(creditPerWeight, slotTime.micros());
            fresh.addLast(flow);
        }
    }

    /** An emptied flow stays in its list until it is met there: leaving early would let it come back as new. */
    @Override
    public void remove(Ticket ticket) {
        ticket.home().remove(ticket);
    }

    @Override
    public @Nullable Ticket choose(long now, int inFlight, int limit) {
        if (inFlight >= limit) {
            return null;
        }
        Pass pass = new Pass(now, limit, !anyWaitingBelowShare(limit) && roomAboveShare(inFlight, limit));
        while (true) {
            int inOld = old.size(); // what NEW sends to OLD is not met twice in one pass
            Flow chosen = pass.over(fresh, fresh.size());
            if (chosen == null) {
                chosen = pass.over(old, inOld);
            }
            if (chosen != null) {
                return chosen.first();
            }
            if (pass.roundsMissing == NOBODY) {
                return null;
            }
            // Instead of going round until someone is out of debt, the missing rounds are added at once.
            creditPerWeight += pass.roundsMissing * slotTime.micros();
            pass.roundsMissing = NOBODY;
        }
    }

    /** One look at every waiting flow, in order. */
    private final class Pass {
        private final long now;
        private final int limit;
        private final boolean aboveShareMayRun;
        private long roundsMissing = NOBODY;

        Pass(long now, int limit, boolean aboveShareMayRun) {
            this.now = now;
            this.limit = limit;
            this.aboveShareMayRun = aboveShareMayRun;
        }

        /** The first flow that may run and has credit; it keeps its place, so that it can use its credit up. */
        @Nullable
        Flow over(FlowRing ring, int count) {
            Flow flow = ring.first();
            for (int left = count; left > 0 && flow != null; left--) {
                Flow next = flow.next;
                if (flow.isEmpty()) {
                    passOn(flow);
                } else if (aboveShareMayRun || shares.below(flow, limit)) {
                    settle(flow, now);
                    if (flow.hasCredit()) {
                        return flow;
                    }
                    roundsMissing = Math.min(roundsMissing, flow.roundsMissing(slotTime.micros()));
                    toTailOfOld(flow);
                }
                // Else its share is used up while others wait below theirs. It is passed over but keeps its place: at
                // the
                // tail it would lose its turn each time it holds a slot, and with few slots never get its part.
                flow = next;
            }
            return null;
        }
    }

    /**
     * The longest queue by its weight loses its tail, if even then it is no shorter than the newcomer's. Among callers
     * that share one name the same holds between them.
     */
    @Override
    public @Nullable Ticket givesWayTo(Ticket ticket) {
        Flow newcomer = ticket.home();
        Flow longest = newcomer;
        for (FlowRing ring : rings) {
            for (Flow flow = ring.first(); flow != null; flow = flow.next) {
                if ((long) flow.waiting() * longest.weight() > (long) longest.waiting() * flow.weight()) {
                    longest = flow;
                }
            }
        }
        boolean moreThanOneShorter =
                (long) (newcomer.waiting() + 1) * longest.weight() < (long) longest.waiting() * newcomer.weight();
        return moreThanOneShorter ? longest.last() : newcomer.givesWayWithin(ticket.part());
    }

    /** Charges the time of what runs, so that who holds slots for long is in debt before it finishes. */
    @Override
    public void tick(long now) {
        for (Flow flow : shares.active()) {
            settle(flow, now);
        }
    }

    @Override
    public long slotTimeMicros() {
        return slotTime.micros();
    }

    private boolean anyWaitingBelowShare(int limit) {
        for (FlowRing ring : rings) {
            for (Flow flow = ring.first(); flow != null; flow = flow.next) {
                if (!flow.isEmpty() && shares.below(flow, limit)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether a slot is left beside the reserve. What tenants below their share hold counts as used reserve: else each of
     * their exchanges would cost the others a second slot.
     */
    private boolean roomAboveShare(int inFlight, int limit) {
        int reserve = shares.reserve(limit);
        return inFlight + reserve < limit || inFlight + reserve - shares.heldBelow(limit, reserve) < limit;
    }

    private void settle(Flow flow, long now) {
        flow.settle(now, creditPerWeight, slotTime);
    }

    private void toTailOfOld(Flow flow) {
        (flow.ring == fresh ? fresh : old).remove(flow);
        old.addLast(flow);
    }

    /** An empty flow leaves, from NEW only by way of OLD. */
    private void passOn(Flow flow) {
        if (flow.ring == fresh && old.size() > 0) {
            toTailOfOld(flow);
        } else {
            (flow.ring == fresh ? fresh : old).remove(flow);
            flow.leave();
        }
    }
}
