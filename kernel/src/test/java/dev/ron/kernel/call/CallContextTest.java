package dev.ron.kernel.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CallContextTest {
    private final VirtualClock clock = new VirtualClock();

    @Test
    void withoutWorkInHandThereIsNoLimit() {
        assertThat(CallContext.current().deadline().remainingNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(CallContext.current().corrId()).isEqualTo("-");
    }

    @Test
    void aContextIsBoundAroundACallAndGoneAfterIt() throws Exception {
        CallContext context = CallContext.of(Deadline.after(clock, Duration.ofSeconds(2)), "corr")
                .withTenant("acme", "alice");
        assertThat(context.<CallContext>call(CallContext::current)).isEqualTo(context);
        assertThat(CallContext.current().tenant()).isNull();
    }

    @Test
    void aDeadlineCanOnlyBeShortened() {
        Deadline two = Deadline.after(clock, Duration.ofSeconds(2));
        CallContext context = CallContext.of(two, "corr");
        assertThat(context.withDeadline(Deadline.after(clock, Duration.ofSeconds(9)))
                        .deadline())
                .isEqualTo(two);
        assertThat(context.withDeadline(Deadline.after(clock, Duration.ofSeconds(1)))
                        .deadline()
                        .remaining())
                .isEqualTo(Duration.ofSeconds(1));
        context.run(() -> {
            assertThat(CallContext.deadlineWithin(clock, Duration.ofSeconds(9))).isEqualTo(two);
            assertThat(CallContext.deadlineWithin(clock, Duration.ofSeconds(1)).remaining())
                    .isEqualTo(Duration.ofSeconds(1));
        });
    }
}
