package dev.ron.admin.sample;

import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Fault;
import dev.ron.admin.truth.Round;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;

/** One round of questions: one after the other on one connection, all within one limit, none asked twice. */
public final class Prober {
    public static final String HEALTHZ = "/healthz";
    public static final String READYZ = "/readyz";
    public static final String STATUS = "/api/v1/status";
    public static final String VERSION = "/version";
    private static final int SMALL = 64 << 10;
    private static final int STATUS_BYTES = 256 << 10;

    private final NodeCaller caller;
    private final Clock clock;

    public Prober(NodeCaller caller, Clock clock) {
        this.caller = caller;
        this.clock = clock;
    }

    /** @param withVersion whether the version is asked for too, or taken from {@code before} */
    public Round ask(NodeTarget node, Duration limit, boolean withVersion, Answer before) {
        Deadline all = Deadline.after(clock, limit);
        // A question that hangs must leave time for those after it.
        Duration share = limit.dividedBy(3);
        Answer healthz = get(node, HEALTHZ, SMALL, all, share);
        boolean dead = healthz instanceof Answer.Failed f && isDead(f.fault());
        Answer readyz = dead ? new Answer.NotAsked(READYZ) : get(node, READYZ, SMALL, all, share);
        Answer status = dead ? new Answer.NotAsked(STATUS) : get(node, STATUS, STATUS_BYTES, all, share);
        Answer version = withVersion && !dead ? get(node, VERSION, SMALL, all, share) : before;
        return new Round(healthz, readyz, status, version, clock.now(), clock.nanos());
    }

    /** Nobody is there: the other questions would fail alike. */
    private static boolean isDead(Fault fault) {
        return fault == Fault.CONNECT || fault == Fault.DNS || fault == Fault.TLS || fault == Fault.FORBIDDEN_ADDRESS;
    }

    /** One endpoint by itself. */
    public Answer get(NodeTarget node, String path, Duration limit) {
        return get(node, path, STATUS_BYTES, Deadline.after(clock, limit), limit);
    }

    private Answer get(NodeTarget node, String path, int maxBytes, Deadline all, Duration share) {
        return all.expired() ? new Answer.NotAsked(path) : caller.get(node, path, maxBytes, all.within(share));
    }
}
