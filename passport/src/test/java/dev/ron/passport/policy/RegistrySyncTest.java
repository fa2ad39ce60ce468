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
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.tree.TreeHash;
import dev.ron.passport.PassportConfig;
import dev.ron.service.bus.Bus;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.token.verify.PqMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
    private final AtomicReference<Optional<Long>> frozenAt = new AtomicReference<>(Optional.empty());
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicReference<PassportConfig> config = new AtomicReference<>(load(Sources.none()));

    private static PassportConfig load(Sources sources) {
        ConfigResult result = ConfigLoader.load(List.of(Section.of("passport", PassportConfig.class)), sources);
        if (!(result instanceof ConfigResult.Loaded(Config loaded))) {
            throw new AssertionError(result.toString());
        }
        return loaded.section(PassportConfig.class);
    }

    private Offer offer(Policy policy) {
        long seenAt = frozenAt.get().orElseGet(() -> clock.now().getEpochSecond());
        return new Offer(new Place(B3.ZERO, 1, TreeHash.EMPTY_ROOT), Optional.of(policy), "", seenAt);
    }

    @BeforeEach
    void sync() {
        Kernel kernel = new Kernel(
                Topology.of("test", "a task", TASK), clock, Meter.none(), Backoff.Policy.DEFAULT, crash -> {});
        kernel.attach(shutdown);
        PolicySource source = (known, deadline) -> {
            asked.incrementAndGet();
            return registry.get()
                    .map(this::offer)
                    .orElseThrow(() -> new RonException(Code.TIMEOUT, "timeout", "the registry says nothing"));
        };
        RegistrySync.Parts parts = new RegistrySync.Parts(
                source,
                Optional::empty,
                new PolicyFile(Optional.empty()),
                desk,
                hint.watch(),
                config::get,
                new Bus(new Broadcast<>(Topology.broadcast("bus", 16), Meter.none()), Meter.none()));
        kernel.spawn(TASK, new RegistrySync(parts, Meter.none())::run);
        awaitIdle();
    }

    @AfterEach
    void stop() {
        hint.close();
        shutdown.request("test", "done");
        shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
    }

    /** Lets short waits pass, such as those between retries; true once the task waits for its next turn. */
    private boolean waitsForItsTurn() {
        OptionalLong next =
                clock.wakeTimes().stream().mapToLong(Long::longValue).min();
        if (next.isEmpty()) {
            return false;
        }
        Duration until = Duration.ofNanos(next.getAsLong() - clock.nanos());
        if (until.compareTo(Duration.ofSeconds(1)) > 0) {
            return true;
        }
        // A moment that has come already belongs to a task that is about to run.
        if (until.isPositive()) {
            clock.advance(until);
        }
        return false;
    }

    private void awaitIdle() {
        Eventually.await("the next turn", this::waitsForItsTurn);
    }

    private void askAgain() {
        int before = asked.get();
        hint.set(hint.watch().value() + 1);
        Eventually.await("it asks", () -> {
            waitsForItsTurn();
            return asked.get() > before;
        });
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

    // somebody answers in the registry's place with what it said once | 11 min pass  ->  stale all the same
    @Test
    void anAnswerThatIsRepeatedConfirmsNothing() {
        frozenAt.set(Optional.of(clock.now().getEpochSecond()));
        registry.set(Optional.of(PolicyReaderTest.policy(7)));
        askAgain();
        assertThat(standing()).isEqualTo("in force");
        for (int minute = 0; minute < 11; minute++) {
            clock.advance(Duration.ofMinutes(1));
            askAgain();
        }
        assertThat(standing()).isEqualTo("policy_stale");
        frozenAt.set(Optional.of(clock.now().getEpochSecond() + 3600));
        askAgain();
        assertThat(standing()).isEqualTo("in force");
        registry.set(Optional.empty());
        clock.advance(Duration.ofMinutes(11));
        askAgain();
        assertThat(standing()).as("a clock that is ahead confirms no future").isEqualTo("policy_stale");
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
                List.of("svc-demo", "svc-admin"),
                List.of(),
                CaveatBounds.NONE,
                PqMode.HYBRID,
                false,
                Policy.NEVER_STALE,
                Optional.empty());
        registry.set(Optional.of(wider));
        askAgain();
        assertThat(desk.current().orElseThrow().audiences()).containsExactly("svc-demo");
        registry.set(Optional.of(PolicyReaderTest.policy(8)));
        askAgain();
        assertThat(version()).isEqualTo(8);
    }

    // the registry is gone | the file freezes issuing  ->  obeyed without the registry, and never wider than it said
    @Test
    void theFileNarrowsTheRegistrysPolicyAlsoWhileTheRegistryIsGone() {
        registry.set(Optional.of(PolicyReaderTest.policy(7)));
        askAgain();
        registry.set(Optional.empty());
        config.set(load(Sources.none()
                .withSet("passport.issuer_policy.frozen=true")
                .withSet("passport.issuer_policy.max_ttl=24h")
                .withSet("passport.issuer_policy.audiences=svc-demo,svc-other")));
        askAgain();
        assertThat(standing()).isEqualTo("frozen");
        assertThat(desk.current().orElseThrow().maxTtlSeconds()).isEqualTo(60);
        assertThat(desk.current().orElseThrow().audiences()).containsExactly("svc-demo");
    }
}
