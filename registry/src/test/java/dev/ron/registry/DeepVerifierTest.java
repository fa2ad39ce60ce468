package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.registry.book.Forgery;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Signers;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.Ref;
import dev.ron.registry.store.Store;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.task.DeepVerifier;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log is checked again in slices; only what is wrong in it is called damage. */
@Timeout(60)
class DeepVerifierTest {
    private static final int COMMITS = 20;

    private final Signers council = new Signers(2, 3);
    private final VirtualClock clock = new VirtualClock();
    private final Shelf shelf = new Shelf();
    private final List<String> damage = new CopyOnWriteArrayList<>();
    private final Registry registry;
    private final DeepVerifier verifier;
    private final Task task;

    /** A store whose every read takes a millisecond, and fails where the test says so. */
    private final class Shelf implements Store {
        private final MemoryStore memory = new MemoryStore();
        private final AtomicReference<Optional<IOException>> failing = new AtomicReference<>(Optional.empty());

        @Override
        public Recovery replay(Reader reader) throws IOException {
            return memory.replay(reader);
        }

        @Override
        public long next() {
            return memory.next();
        }

        @Override
        public void append(long expected, List<Rec> records) throws StoreFault {
            memory.append(expected, records);
        }

        @Override
        public Rec read(Ref ref) throws IOException {
            Optional<IOException> failure = failing.get();
            if (failure.isPresent()) {
                throw failure.get();
            }
            clock.advance(Duration.ofMillis(1));
            return memory.read(ref);
        }

        @Override
        public Optional<StoreFault> trouble() {
            return memory.trouble();
        }

        @Override
        public long bytes() {
            return memory.bytes();
        }

        @Override
        public int segments() {
            return memory.segments();
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    DeepVerifierTest() throws IOException {
        registry = council.create(shelf);
        for (int i = 0; i < COMMITS; i++) {
            council.commit(registry, council.put("svc." + i, 0, "http://" + i));
        }
        verifier = new DeepVerifier(registry, () -> Duration.ofMillis(20), damage::add);
        Kernel kernel = new Kernel(
                RegistryTopology.of(2, RegistryTopology.COMMITTED),
                clock,
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        task = kernel.spawn(RegistryTopology.DEEP_VERIFIER, verifier::run);
    }

    @AfterEach
    void stop() {
        task.stop();
        assertThat(task.join(Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                .isTrue();
    }

    /** Lets one slice begin and end. */
    private void slice() {
        Eventually.await("it waits for its second", this::waits);
        clock.advance(Duration.ofSeconds(1));
        Eventually.await("its slice is over", this::waits);
    }

    private boolean waits() {
        return clock.wakeTimes().stream().anyMatch(at -> at > clock.nanos());
    }

    private void slicesUntil(String what, java.util.function.BooleanSupplier done) {
        for (int i = 0; i < 200 && !done.getAsBoolean(); i++) {
            slice();
        }
        assertThat(done.getAsBoolean()).as(what).isTrue();
    }

    @Test
    void aSliceEndsWhenItsTimeIsUsedUpAndTheNextGoesOn() {
        slice();
        long first = verifier.verified();
        assertThat(first).isBetween(1L, COMMITS / 2L);
        slice();
        assertThat(verifier.verified()).isGreaterThan(first);
        slicesUntil("all is checked", () -> verifier.verified() == COMMITS + 1L);
        assertThat(damage).isEmpty();
    }

    @Test
    void aForgedVoteIsDamageAndIsFoundAgainAfterAThaw() throws IOException {
        Forgery.commit(registry, council, council.put("svc.forged", 0, "http://forged"));
        slicesUntil("it is told", () -> !damage.isEmpty());
        assertThat(damage).singleElement().asString().contains("does not match");
        assertThat(verifier.verified()).isEqualTo(COMMITS + 1L);
        verifier.again();
        slicesUntil("it is found again", () -> verifier.failures() == 2);
        assertThat(damage).hasSize(2);
    }

    // everything was checked | the disk rots | a day passes   ->  it is found by the next pass
    @Test
    void theNextPassBeginsADayLaterAndFindsWhatRottedSince() {
        slicesUntil("all is checked", () -> verifier.verified() == COMMITS + 1L);
        for (int i = 0; i < 10; i++) {
            slice(); // the audit chain is longer
        }
        shelf.failing.set(Optional.of(new StoreFault(StoreFault.Kind.CORRUPT, "batch 3 is damaged")));
        slice();
        assertThat(verifier.damage()).as("nothing is read in between").isEmpty();
        clock.advance(Duration.ofHours(24));
        slicesUntil("it is told", () -> !damage.isEmpty());
        assertThat(damage).containsExactly("batch 3 is damaged");
    }

    // a file is closed under the reader, or the log is read anew, while a slice runs  ->  tried again,
    // nothing is frozen
    @Test
    void aReadThatFailsForAWhileIsNoDamage() {
        for (IOException failure : List.of(
                new ClosedChannelException(),
                new IOException("Input/output error"),
                new StoreFault(StoreFault.Kind.ABSENT, "there is no batch 3"))) {
            shelf.failing.set(Optional.of(failure));
            slice();
        }
        assertThat(verifier.damage()).isEmpty();
        shelf.failing.set(Optional.empty());
        slicesUntil("all is checked", () -> verifier.verified() == COMMITS + 1L);
        assertThat(damage).isEmpty();
    }

    @Test
    void aRecordThatIsDamagedOnDiskIsDamage() {
        shelf.failing.set(Optional.of(new StoreFault(StoreFault.Kind.CORRUPT, "batch 3 is damaged")));
        slicesUntil("it is told", () -> !damage.isEmpty());
        assertThat(damage).containsExactly("batch 3 is damaged");
    }
}
