package dev.ron.registry;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Command;
import dev.ron.registry.book.Committed;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Signers;
import dev.ron.registry.commit.Committer;
import dev.ron.registry.commit.Counter;
import dev.ron.registry.commit.Queues;
import dev.ron.registry.store.Store;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A committer with its queues and counters, without a listener, for tests. */
final class CommitDesk implements AutoCloseable {
    final Signers council;
    final Registry registry;
    final Kernel kernel;
    final Queues queues;
    final Committer committer;
    final Broadcast<Committed> committed;
    final Counter proposals;
    final Counter approvals;
    final Counter commits;
    final ConcurrentHashMap<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final Task task;
    private final Clock clock = new CouncilClock();

    CommitDesk(Store store, Signers council) throws IOException {
        this.council = council;
        this.registry = council.create(store, new Limits(1_000_000, 1_000_000, 1L << 30));
        this.kernel = new Kernel(
                RegistryTopology.of(2, RegistryTopology.COMMITTED),
                clock,
                meter(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        this.queues = new Queues(
                kernel.mailbox(RegistryTopology.PROPOSALS, (ask, cause) -> {}),
                kernel.mailbox(RegistryTopology.APPROVALS, (ask, cause) -> {}),
                kernel.mailbox(RegistryTopology.COMMITS, (ask, cause) -> {}),
                kernel.mailbox(RegistryTopology.CTL, (ask, cause) -> {}),
                kernel.mailbox(RegistryTopology.BELL, (ring, cause) -> {}));
        this.committed = kernel.broadcast(RegistryTopology.committed(RegistryTopology.COMMITTED));
        Watch.Writer<Long> heads = kernel.watch(RegistryTopology.HEADS, 1L);
        this.committer = new Committer(registry, queues, committed, heads, clock, kernel.meter());
        this.task = kernel.spawn(RegistryTopology.COMMITTER, committer::run);
        this.proposals = new Counter(queues.proposals(), queues.bell(), "propose", kernel.meter());
        this.approvals = new Counter(queues.approvals(), queues.bell(), "approve", kernel.meter());
        this.commits = new Counter(queues.commits(), queues.bell(), "commit", kernel.meter());
    }

    private Meter meter() {
        return new Meter() {
            @Override
            public Count counter(String family, String label, String value) {
                AtomicLong count = counts.computeIfAbsent(family + "/" + value, name -> new AtomicLong());
                return count::addAndGet;
            }

            @Override
            public Timing timing(String family, String label, String value) {
                return nanos -> {};
            }
        };
    }

    long count(String name) {
        return counts.getOrDefault(name, new AtomicLong()).get();
    }

    /** The system's clock, with the wall clock of the council. */
    private static final class CouncilClock implements Clock {
        @Override
        public long nanos() {
            return Clock.system().nanos();
        }

        @Override
        public Instant now() {
            return Instant.ofEpochMilli(Signers.NOW + 1);
        }

        @Override
        public void park(Object blocker, long untilNanos) {
            Clock.system().park(blocker, untilNanos);
        }
    }

    Answer ask(Counter counter, Command command, Duration limit) throws Exception {
        return CallContext.of(Deadline.after(Clock.system(), limit), "test")
                .call(() -> counter.ask(command, "acme/ann"));
    }

    Answer ask(Counter counter, Command command) throws Exception {
        return ask(counter, command, Duration.ofSeconds(60));
    }

    /** Proposes and has enough approve. */
    Proposal approved(String id) throws Exception {
        Proposal proposal = council.put(id, 0, "http://" + id);
        ask(proposals, new Command.Propose(proposal));
        for (int member = 0; member < 2; member++) {
            ask(approvals, Signers.cast(registry, proposal, council.approve(member, proposal, 1)));
        }
        return proposal;
    }

    Answer.Committed commit(Proposal proposal) throws Exception {
        return (Answer.Committed) ask(commits, new Command.Commit(proposal.proposalId(), Optional.empty()));
    }

    /** Takes nothing more. */
    void stop() {
        task.stop();
        queues.proposals().close();
        queues.approvals().close();
        queues.commits().close();
        queues.ctl().close();
        queues.bell().close();
    }

    @Override
    public void close() throws IOException {
        stop();
        task.join(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
        registry.store().close();
    }
}
