package dev.ron.passport.office;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.passport.client.Client;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.passport.kms.Keystore;
import dev.ron.passport.office.Command.Receipt;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import dev.ron.token.keys.Purpose;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of everything the office remembers; nobody is told of a change before it is on disk.
 *
 * <p>Commands that wait together share one sync. A write that fails says nothing certain about the file any more, so
 * everything is read again from the disk before the next one.
 */
public final class Registrar {
    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);
    private static final int MAX_BATCH = 256;
    private static final Duration LONGEST_SLEEP = Duration.ofHours(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LAST_PAUSE = Duration.ofSeconds(1);

    private final String issuer;
    private final Archive archive;
    private final Clock clock;
    private final SecureRandom random;
    private final Supplier<KeyTimes> times;
    private final Supplier<List<Purpose>> purposes;
    private final Watch.Writer<Long> feed;
    private final Bus bus;
    private final FeedLog log = new FeedLog(FeedLog.CAPACITY);
    private final HolderQuota quota = new HolderQuota();
    private final Snapshot<OfficeState> state;
    private final List<Client> guests = new CopyOnWriteArrayList<>();
    private volatile boolean mustReopen;
    private volatile boolean mustProbe;
    private volatile String trouble = "";

    private record Pending(Reply<Receipt> reply, String tenant, boolean escalated, List<String> kids, long seq) {}

    /** Reads what is kept; the caller becomes the writer until {@link #run} takes over. */
    public Registrar(
            String issuer,
            Keystore keystore,
            Journal journal,
            Clock clock,
            SecureRandom random,
            Supplier<KeyTimes> times,
            Supplier<List<Purpose>> purposes,
            Watch.Writer<Long> feed,
            Bus bus)
            throws IOException {
        this.issuer = issuer;
        this.archive = new Archive(keystore, journal);
        this.clock = clock;
        this.random = random;
        this.times = times;
        this.purposes = purposes;
        this.feed = feed;
        this.bus = bus;
        this.state = new Snapshot<>(archive.open(issuer, now()));
        keepCalendar();
    }

    public OfficeState state() {
        return state.get();
    }

    public FeedLog log() {
        return log;
    }

    /** Why nothing can be written at present; empty if all is well. */
    public String trouble() {
        return trouble;
    }

    /** Serves commands until the queue is closed and empty; a disk that does not take them is tried again and again. */
    public void run(TaskScope scope, Mailbox<Ask<Command, Receipt>> queue) throws Exception {
        int failures = 0;
        while (!queue.finished()) {
            try {
                reopenIfUnsure();
                Optional<Delivery<Ask<Command, Receipt>>> first =
                        queue.receive(Deadline.after(clock, untilNextChange()));
                if (first.isPresent()) {
                    serve(queue, first.get());
                }
                keepCalendar();
                failures = 0;
            } catch (IOException e) {
                trouble = "the journal cannot be written: " + e.getMessage();
                if (failures == 0) {
                    LOG.warn("{}; until it can, whatever it is to hold is refused", trouble);
                }
                refuseWaiting(queue, e);
                Duration pause = Duration.ofNanos(Backoff.doubled(FIRST_PAUSE, failures++, LAST_PAUSE));
                if (!scope.sleep(pause)) {
                    throw e;
                }
            }
            shorten();
        }
    }

    private void reopenIfUnsure() throws IOException {
        if (mustReopen) {
            state.publish(archive.open(issuer, now()));
            guests.forEach(this::seat);
            mustReopen = false;
            mustProbe = true;
        }
        if (mustProbe) {
            archive.probe();
            mustProbe = false;
            trouble = "";
        }
    }

    private static void refuseWaiting(Mailbox<Ask<Command, Receipt>> queue, IOException why) throws Exception {
        Optional<Delivery<Ask<Command, Receipt>>> next = queue.tryReceive();
        while (next.isPresent()) {
            next.get().handle(ask -> ask.reply().fail(failed(why)));
            next = queue.tryReceive();
        }
    }

    private static RonException failed(Exception why) {
        return new RonException(Code.UNAVAILABLE, "journal_failed", "the journal cannot be written", null, why);
    }

    /** After the answers: what they say is on disk already, and stays there if this fails. */
    private void shorten() {
        if (mustReopen || !archive.wantsRewrite()) {
            return;
        }
        mustReopen = true; // its name may stand for the new file already
        try {
            archive.rewrite(state(), guests);
            mustReopen = false;
        } catch (IOException e) {
            LOG.warn("the journal cannot be rewritten and stays long: {}", e.toString());
        }
    }

    private Duration untilNextChange() {
        OfficeState state = state();
        long next = state.ring().nextChange(times.get());
        if (!state.due().isEmpty()) {
            next = Math.min(next, state.due().getFirst().at());
        }
        long seconds = Math.max(0, next - now());
        return seconds > LONGEST_SLEEP.toSeconds()
                ? LONGEST_SLEEP
                : Duration.ofSeconds(seconds).plusMillis(1);
    }

    private void serve(Mailbox<Ask<Command, Receipt>> queue, Delivery<Ask<Command, Receipt>> first) throws Exception {
        Draft draft = draft();
        List<Pending> pending = new ArrayList<>();
        Optional<Delivery<Ask<Command, Receipt>>> next = Optional.of(first);
        try {
            while (next.isPresent()) {
                next.get().handle(ask -> plan(draft, ask, pending));
                next = pending.size() < MAX_BATCH ? queue.tryReceive() : Optional.empty();
            }
            commit(draft);
        } catch (IOException | RuntimeException e) {
            // Whoever shares the batch is told as well: none of it was acknowledged.
            RonException failure = failed(e);
            pending.forEach(p -> p.reply().fail(failure));
            throw e;
        }
        OfficeState now = state();
        pending.forEach(p -> p.reply()
                .complete(new Receipt(
                        now.epoch(),
                        now.revocations().globalFloor(),
                        now.revocations().floor(p.tenant()),
                        p.seq(),
                        p.escalated(),
                        p.kids())));
    }

    private void plan(Draft draft, Ask<Command, Receipt> ask, List<Pending> pending) {
        try {
            List<String> kids = draft.add(ask.question());
            String tenant = ask.question() instanceof Command.Revoke revoke ? revoke.tenant() : "";
            pending.add(new Pending(ask.reply(), tenant, draft.escalated(), kids, draft.seq()));
        } catch (RonException refused) {
            ask.reply().fail(refused);
        }
    }

    /** For a command before the task runs: the bootstrap client of a demo. */
    public void applyAtStart(Command command) throws IOException {
        Draft draft = draft();
        draft.add(command);
        commit(draft);
    }

    /** Lets a client in for the life of this process; nothing is written. Before the task runs. */
    public void welcome(Client guest) {
        guests.add(guest);
        seat(guest);
    }

    private void seat(Client guest) {
        OfficeState now = state();
        Map<String, Client> clients = new HashMap<>(now.clients());
        clients.values().removeIf(old -> old.id().equals(guest.id()));
        clients.put(guest.prefix(), guest);
        state.publish(
                OfficeState.of(issuer, now.epoch(), now.seq(), now.revocations(), now.due(), now.ring(), clients));
    }

    private void keepCalendar() throws IOException {
        Draft draft = draft();
        draft.keepCalendar(purposes.get());
        commit(draft);
    }

    private Draft draft() {
        return new Draft(state(), now(), times.get(), random, quota);
    }

    private void commit(Draft draft) throws IOException {
        if (!draft.changed()) {
            return;
        }
        OfficeState after = draft.state(issuer); // before anything is written: what has no place must not be on disk
        mustReopen = true;
        archive.write(draft, after);
        mustReopen = false;
        long epochBefore = state().epoch();
        draft.revoked().forEach(log::add);
        state.publish(after);
        feed.set(after.seq());
        if (after.epoch() != epochBefore || draft.keysChanged()) {
            bus.publish(new BusEvent.EpochRotated(
                    issuer, after.epoch(), draft.newKey().orElse("")));
        }
    }

    private long now() {
        return clock.now().getEpochSecond();
    }

    /** Ends the files and wipes the keys; after the task has ended. */
    public void close() throws IOException {
        try {
            archive.close();
        } finally {
            state().ring().keys().forEach(key -> key.secret().close());
        }
    }
}
