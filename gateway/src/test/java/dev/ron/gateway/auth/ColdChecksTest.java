package dev.ron.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Someone makes new tokens from one root as fast as answers come. */
@ExtendWith(NoLeaks.class)
class ColdChecksTest {
    private static final MailboxSpec COLD = Topology.mailbox("cold", 2048);
    private static final TaskSpec VERIFIER = Topology.task("verifier").runner(TaskSpec.Runner.PLATFORM);

    private final VirtualClock clock = new VirtualClock();
    private final Kernel kernel = new Kernel(
            Topology.of("test", "checks", COLD, VERIFIER), clock, Meter.none(), Backoff.Policy.DEFAULT, crash -> {});
    private final Mailbox<ColdCase> box = kernel.mailbox(COLD, (one, cause) -> one.drained());
    private final ColdChecks checks = new ColdChecks(box, clock);
    private final Task task = kernel.spawn(VERIFIER, checks::run);
    private final AtomicInteger checked = new AtomicInteger();
    private final List<RonException> refused = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        box.close();
        task.stop();
        assertThat(task.join(Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                .isTrue();
    }

    private void ask(String root, int times) {
        for (int i = 0; i < times; i++) {
            Verdict.Payer payer = new Verdict.Payer("iss", root, root, 1);
            Verdict done = new Verdict.Denied(new RonException(Code.FORBIDDEN, "checked", "seen"));
            checks.submit(new ColdCase(
                    new Verdict.Cold(payer, () -> {
                        checked.incrementAndGet();
                        return done;
                    }),
                    "source",
                    Runnable::run,
                    verdict -> {
                        if (verdict instanceof Verdict.Denied(RonException why)
                                && !why.reason().equals("checked")) {
                            refused.add(why);
                        }
                    }));
        }
    }

    @Test
    void whatARootCannotPayForWaitsBeforeItIsRefused() {
        ask("b", ColdChecks.PER_ROOT + 300);
        Eventually.await("what is paid for is checked", () -> checked.get() == ColdChecks.PER_ROOT && box.depth() == 0);
        assertThat(refused).isEmpty();

        ask("a", 1);
        Eventually.await("another root is not held up", () -> checked.get() == ColdChecks.PER_ROOT + 1);
        assertThat(refused).isEmpty();

        clock.advance(ColdChecks.PATIENCE.plus(Duration.ofMillis(1)));
        int paidMeanwhile = ColdChecks.PER_ROOT / 2;
        Eventually.await("the others have their answers", () -> refused.size() == 300 - paidMeanwhile);
        Eventually.await("or their turn", () -> checked.get() == ColdChecks.PER_ROOT + 1 + paidMeanwhile);
        assertThat(refused).allMatch(why -> why.retryAfter().isPresent());
    }

    @Test
    void noMoreWaitThanThereArePlaces() {
        ask("b", ColdChecks.PER_ROOT + 512 + 10);
        Eventually.await("those without a place hear so at once", () -> refused.size() == 10);
    }

    @Test
    void whoWaitsAtTheEndIsToldSo() {
        ask("b", ColdChecks.PER_ROOT + 5);
        Eventually.await("what is paid for is checked", () -> checked.get() == ColdChecks.PER_ROOT && box.depth() == 0);
        box.close();
        Eventually.await("the rest is told", () -> refused.size() == 5);
        assertThat(refused).allMatch(why -> why.reason().equals("draining"));
    }
}
