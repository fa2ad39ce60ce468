package dev.ron.kernel.call;

import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What travels with a request: its deadline and who asked.
 *
 * <p>A ScopedValue binding does not cross threads by itself; the kernel binds it again wherever an item changes hands.
 */
public record CallContext(
        Deadline deadline,
        String corrId,
        @Nullable String traceparent,
        @Nullable String tenant,
        @Nullable String principal) {
    private static final ScopedValue<CallContext> CURRENT = ScopedValue.newInstance();
    private static final CallContext NONE = new CallContext(Deadline.never(Clock.system()), "-", null, null, null);

    public static CallContext of(Deadline deadline, String corrId) {
        return new CallContext(deadline, corrId, null, null, null);
    }

    /** The context of the work in hand, or one without limits where no work is in hand. */
    public static CallContext current() {
        return CURRENT.orElse(NONE);
    }

    public void run(Runnable body) {
        ScopedValue.where(CURRENT, this).run(body);
    }

    public <R> R call(Callable<? extends R> body) throws Exception {
        return ScopedValue.where(CURRENT, this).call(body::call);
    }

    public CallContext withDeadline(Deadline sooner) {
        return new CallContext(deadline.min(sooner), corrId, traceparent, tenant, principal);
    }

    public CallContext withTenant(String name, String who) {
        return new CallContext(deadline, corrId, traceparent, name, who);
    }

    /** The deadline of a call made now: the caller's, or {@code limit} from now where that is sooner. */
    public static Deadline deadlineWithin(Clock clock, Duration limit) {
        return Deadline.after(clock, limit).min(current().deadline());
    }
}
