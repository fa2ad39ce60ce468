package dev.ron.passport.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.passport.PassportConfig;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The policy of a registry that comes late, stalls, goes back or changes its mind; in virtual time. */
class RegistrySyncTest {
    private static final TaskSpec TASK = Topology.task("registry-sync");

    private final VirtualClock clock = new VirtualClock();
    private final Shutdown shutdown = new Shutdown(Clock.system(), Meter.none(), () -> Duration.ofSeconds(5));
    private final PolicyDesk desk = new PolicyDesk(new Broadcast<>(Topology.broadcast("policy", 16), Meter.none()));
    private final Watch.Writer<Long> hint = Watch.of(0L);
    private final AtomicReference<Optional<Policy>> registry = new AtomicReference<>(Optional.empty());
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeEach
    void sync() {
        Kernel kernel = new Kernel(
                Topology.of("test", "a task", TASK), clock, Meter.none(), Backoff.Policy.DEFAULT, crash -> {});
        kernel.attach(shutdown);
        PassportConfig.Registry config = new PassportConfig.Registry(
                Optional.of(URI.create("http://127.0.0.1:1")),
                Duration.ofSeconds(3),
                Duration.ofSeconds(60),
                Duration.ofMinutes(10));
        PolicySource source = deadline -> {
            asked.incrementAndGet();
            return registry.get()
                    .orElseThrow(() -> new RonException(Code.TIMEOUT, "timeout", "the registry says nothing"));
        };
        kernel.spawn(TASK, new RegistrySync(source, desk, hint.watch(), () -> config, Meter.none())::run);
        awaitIdle();
    }

    @AfterEach
    void stop() {
        hint.close();
        shutdown.request("test", "done");
        shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
    }

    /** Lets the retries of one fetch pass, until the task waits for its next turn. */
    private void awaitIdle() {
        Eventually.await("the next turn", () -> {
            clock.advance(Duration.ofMillis(100));
            return clock.wakeTimes().stream()
                    .anyMatch(at -> at - clock.nanos() > Duration.ofSeconds(20).toNanos());
        });
    }

    private void askAgain() {
        int before = asked.get();
        hint.set(hint.watch().value() + 1);
        Eventually.await("it asks", () -> asked.get() > before);
        awaitIdle();
    }

    private long version() {
        return desk.current().map(Policy::version).orElse(0L);
    }

    private String standing() {
        try {
            desk.current()
                    .orElseThrow(Policy::missing)
                    .requireInForce(clock.now().getEpochSecond());
            return "in force";
        } catch (RonException refused) {
            return refused.reason();
        }
    }

    @Test
    void aFetchIsTriedThreeTimesAndThenLeftToTheNextTurn() {
        assertThat(asked.get()).isEqualTo(3);
        assertThat(standing()).isEqualTo("policy_missing");
    }

    // fetched | the registry stalls | 10 min pass  ->  in force for its time, then nothing is issued, then fresh again
    @Test
    void aStalledRegistryLeavesThePolicyInForceForItsTimeAndNoLonger() {
        registry.set(Optional.of(PolicyReaderTest.policy(7)));
        askAgain();
        assertThat(version()).isEqualTo(7);
        registry.set(Optional.empty());
        clock.advance(Duration.ofMinutes(9));
        awaitIdle();
        assertThat(standing()).isEqualTo("in force");
        clock.advance(Duration.ofMinutes(2));
        awaitIdle();
        assertThat(standing()).isEqualTo("policy_stale");
        assertThatThrownBy(() ->
                        desk.current().orElseThrow().requireInForce(clock.now().getEpochSecond()))
                .isInstanceOf(RonException.class);
        registry.set(Optional.of(PolicyReaderTest.policy(7)));
        askAgain();
        assertThat(standing()).isEqualTo("in force");
    }

    @Test
    void anOlderVersionAndAnotherTextOfTheSameVersionAreNotTaken() {
        registry.set(Optional.of(PolicyReaderTest.policy(7)));
        askAgain();
        registry.set(Optional.of(PolicyReaderTest.policy(6)));
        askAgain();
        assertThat(version()).isEqualTo(7);
        Policy wider = new Policy(
                7,
                3600,
                60,
                java.util.List.of("svc-demo", "svc-admin"),
                java.util.List.of(),
                dev.ron.token.verify.PqMode.OFF,
                false,
                Policy.NEVER_STALE);
        registry.set(Optional.of(wider));
        askAgain();
        assertThat(desk.current().orElseThrow().audiences()).containsExactly("svc-demo");
        registry.set(Optional.of(PolicyReaderTest.policy(8)));
        askAgain();
        assertThat(version()).isEqualTo(8);
    }
}
