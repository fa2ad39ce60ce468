package dev.ron.passport.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.passport.kms.Keystore;
import dev.ron.service.bus.Bus;
import dev.ron.token.keys.Purpose;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A disk that is full for a while: nothing is acknowledged that is not on it, and the writer outlives it. */
@Timeout(60)
class BrokenJournalTest {
    private static final MailboxSpec QUEUE =
            Topology.mailbox("revoke", 256).from("test").to("revocation");
    private static final TaskSpec TASK = Topology.task("revocation");
    private static final Client GUEST =
            new Client("guest", "guestprefix", "h", List.of("node"), Set.of(Right.VERIFY), List.of(), 0);

    private final FullDisk disk = new FullDisk();
    private final Kept keys = new Kept();
    private final AtomicInteger crashes = new AtomicInteger();
    private final Clock clock = Clock.system();
    private final Shutdown shutdown = new Shutdown(clock, Meter.none(), () -> Duration.ofSeconds(10));
    private Registrar registrar;
    private Mailbox<Ask<Command, Command.Receipt>> queue;

    /** Keeps entries in memory, and fails when told to. */
    private static final class FullDisk implements Journal {
        private final List<JournalEntry> kept = new ArrayList<>();
        private long batches;
        private volatile boolean full;
        private volatile boolean grown;
        private volatile boolean breaksRewrite;
        final AtomicInteger rewrites = new AtomicInteger();

        @Override
        public synchronized List<JournalEntry> read() {
            return List.copyOf(kept);
        }

        @Override
        public synchronized void append(List<JournalEntry> batch) throws IOException {
            if (full) {
                throw new IOException("No space left on device");
            }
            kept.addAll(batch);
            batches++;
        }

        @Override
        public synchronized long batches() {
            return batches;
        }

        @Override
        public boolean wantsRewrite() {
            return grown;
        }

        @Override
        public synchronized void rewrite(List<JournalEntry> all) throws IOException {
            rewrites.incrementAndGet();
            grown = false; // as the file does: not again with every batch
            if (breaksRewrite) {
                throw new IOException("No space left on device");
            }
            kept.clear();
            kept.addAll(all);
            batches++;
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    /** Keys that outlast the reading of the journal. */
    private static final class Kept implements Keystore {
        private volatile Optional<Content> content = Optional.empty();
        final AtomicInteger loads = new AtomicInteger();

        @Override
        public Optional<Content> load() {
            loads.incrementAndGet();
            return content;
        }

        @Override
        public void save(Content fresh) {
            content = Optional.of(fresh);
        }
    }

    @BeforeEach
    void start() throws IOException {
        registrar = new Registrar(
                "urn:test",
                keys,
                disk,
                clock,
                new SecureRandom(),
                () -> KeyTimes.of(Duration.ofMinutes(10), Duration.ofMinutes(10), 30),
                () -> List.of(Purpose.PCT),
                Watch.of(0L),
                new Bus(new Broadcast<>(Bus.SPEC, Meter.none()), Meter.none()));
        registrar.welcome(GUEST);
        Kernel kernel = new Kernel(
                Topology.of("test", "an office", QUEUE, TASK),
                clock,
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> crashes.incrementAndGet());
        kernel.attach(shutdown);
        queue = kernel.mailbox(QUEUE, (ask, cause) -> {});
        kernel.spawn(TASK, scope -> registrar.run(scope, queue));
    }

    @AfterEach
    void stop() {
        disk.full = false;
        shutdown.request("test", "over");
        shutdown.awaitStopped(Deadline.after(clock, Duration.ofSeconds(30)));
    }

    private Command.Receipt moveEpoch(long to) {
        Ask<Command, Command.Receipt> ask = Ask.of(new Command.MoveEpoch(to, false, "other"));
        queue.trySend(ask);
        return ask.reply().await(Deadline.after(clock, Duration.ofSeconds(30)));
    }

    // ten commands, none of which can be written | there is room again  ->  each was told so, and the next one is done
    @Test
    void aJournalThatFailsManyTimesIsWrittenAgainWhenItCanBe() {
        disk.full = true;
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> moveEpoch(2))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.reason()).isEqualTo("journal_failed"));
        }
        assertThat(registrar.trouble()).contains("No space left");
        assertThat(registrar.state().epoch()).isEqualTo(1);
        disk.full = false;
        Eventually.await("room", () -> registrar.trouble().isEmpty());
        assertThat(moveEpoch(2).epoch()).isEqualTo(2);
        assertThat(registrar.state().clients()).containsKey(GUEST.prefix());
        assertThat(keys.loads).as("once at the start and once after").hasValue(2);
        assertThat(crashes.get()).isZero();
    }

    // a command is on disk | the rewrite after it fails  ->  it is acknowledged, and so is the next one
    @Test
    void aRewriteThatFailsTakesNoAnswerBack() {
        disk.breaksRewrite = true;
        disk.grown = true;
        assertThat(moveEpoch(2).epoch()).isEqualTo(2);
        Eventually.await("the rewrite", () -> disk.rewrites.get() > 0);
        assertThat(moveEpoch(3).epoch()).isEqualTo(3);
        assertThat(disk.read()).contains(new JournalEntry.Epoch(2), new JournalEntry.Epoch(3));
        assertThat(crashes.get()).isZero();
    }

    @Test
    void aRewrittenJournalHoldsNoGuest() {
        disk.grown = true;
        assertThat(moveEpoch(2).epoch()).isEqualTo(2);
        Eventually.await("the rewrite", () -> disk.rewrites.get() > 0);
        assertThat(moveEpoch(3).epoch()).isEqualTo(3);
        assertThat(disk.read()).noneMatch(JournalEntry.ClientKept.class::isInstance);
        assertThat(registrar.state().clients()).containsKey(GUEST.prefix());
    }
}
