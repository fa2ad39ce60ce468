package dev.ron.gateway.arbiter.drr;

import java.util.ArrayList;
import java.util.List;

/**
 * Which part of the slots each active tenant is entitled to.
 *
 * <p>share = limit x weight / sum of active weights, compared by cross-multiplication, so that one published sum is
 * enough for every tenant and a change of the active set costs the same however many there are.
 */
public final class Shares {
    private static final int RESERVE_PART = 8;

    private final List<Flow> active = new ArrayList<>(); // the scheduler's own
    private volatile int activeWeight;
    private volatile int activeTenants;

    public boolean below(Flow flow, int limit) {
        return (long) flow.usage().held() * activeWeight < (long) limit * flow.weight();
    }

    public double of(Flow flow, int limit) {
        return flow.active() ? (double) limit * flow.weight() / activeWeight : 0;
    }

    /** Slots kept for tenants below their share; nothing is kept from a lone tenant. */
    public int reserve(int limit) {
        return activeTenants < 2 ? 0 : limit / RESERVE_PART;
    }

    public int activeTenants() {
        return activeTenants;
    }

    /** Counts the flow as active, with this weight from now on. */
    public void activate(Flow flow, int weight) {
        int sum = activeWeight - (flow.active() ? flow.weight() : 0) + weight;
        flow.reweigh(weight);
        if (!flow.active()) {
            active.add(flow);
            flow.activate(true);
        }
        publish(sum);
    }

    /** Stops counting flows that are idle and were last seen before {@code since}. */
    public void retireUnseenSince(long since) {
        int sum = activeWeight;
        for (int i = active.size() - 1; i >= 0; i--) {
            Flow flow = active.get(i);
            if (flow.lastSeen() < since && flow.idle()) {
                flow.activate(false);
                sum -= flow.weight();
                active.set(i, active.getLast());
                active.removeLast();
            }
        }
        publish(sum);
    }

    List<Flow> active() {
        return active;
    }

    /** Slots held by tenants below their share; counts no further than {@code enough}. */
    int heldBelow(int limit, int enough) {
        int held = 0;
        for (int i = 0; i < active.size() && held < enough; i++) {
            Flow flow = active.get(i);
            held += below(flow, limit) ? flow.usage().held() : 0;
        }
        return held;
    }

    private void publish(int sum) {
        activeWeight = sum;
        activeTenants = active.size();
    }
}
