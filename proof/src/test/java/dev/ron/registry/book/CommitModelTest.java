package dev.ron.registry.book;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.RonException;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.tlog.LogKeys;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Callers propose, approve and commit at once, and their commands become one batch or several: whatever the order, each is
 * answered as if it had been alone, and who has an answer sees what it says.
 *
 * <p>Of the proposals 0 and 1 only one can be committed, they write the same descriptor; 2 writes another. One vote is
 * enough; 0 and 1 have it from the start. A step is far too long to try every order of its accesses, so real threads race
 * through it.
 */
class CommitModelTest {
    // Long enough for those who were answered to look.
    private static final long PAUSE = 200_000;
    private static final long TURN = 1_000;
    // The first that is caught ends the search.
    private static final int MANY = 100;
    private static final long NOW = 1_000_000;
    private static final long LATER = 10 * NOW;
    private static final String ORIGIN = "model.example/registry";
    private static final Turn.By BY = new Turn.By("acme/model", "-");
    private static final SignerKey SIGNER = SignerKey.generate("org:model#s", false, new SecureRandom());
    private static final ChangeSet GENESIS = ChangeSet.of(new Body.Genesis(
            ORIGIN,
            LogKeys.generate(new SecureRandom()).verifiers(ORIGIN),
            SignerSet.initial(1, List.of(SIGNER.signer())),
            List.of()));
    private static final List<Proposal> PROPOSALS =
            IntStream.range(0, 3).mapToObj(CommitModelTest::proposal).toList();
    private static final List<Admitted> VOTES =
            PROPOSALS.stream().map(CommitModelTest::vote).toList();

    private static Proposal proposal(int number) {
        Draft draft = Draft.of("service", new ObjWriter().put("n", number).end());
        ChangeSet payload = ChangeSet.of(new Body.Change(List.of(new Op.Put(number < 2 ? "same" : "other", 0, draft))));
        return Proposal.of(payload, BY.actor(), "nonce" + number, NOW, LATER);
    }

    private static Admitted vote(Proposal proposal) {
        Statement statement = new Statement(
                ORIGIN,
                proposal.proposalId(),
                proposal.payloadB3(),
                Statement.Decision.APPROVE,
                SIGNER.signerId(),
                1,
                NOW,
                LATER);
        try {
            return Admitted.of(
                    founded().view().ledger().ballot(proposal, NOW), Approval.sign(statement, SIGNER.signing()));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Registry founded() {
        try {
            return Registry.create(new MemoryStore(), Limits.DEFAULT, Optional::empty, GENESIS, NOW);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** With 0 and 1 proposed and approved. */
    private static Registry prepared() {
        Registry registry = founded();
        Turn turn = registry.begin(NOW);
        for (int number = 0; number < 2; number++) {
            Answer _ = turn.take(new Command.Propose(PROPOSALS.get(number)), BY);
            Answer _ = turn.take(new Command.Approve(PROPOSALS.get(number).proposalId(), VOTES.get(number)), BY);
        }
        write(registry, turn);
        return registry;
    }

    private static void write(Registry registry, Turn turn) {
        try {
            registry.write(turn);
        } catch (StoreFault e) {
            throw new IllegalStateException(e);
        }
    }

    record Asked(Command command, CompletableFuture<String> answer) {}

    /** As the committer does it: one at a time takes what waits, writes it, and answers then. */
    public static class Operations {
        final Registry registry = prepared();
        final ConcurrentLinkedQueue<Asked> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean writing = new AtomicBoolean();

        @Operation
        public String propose(@Param(gen = IntGen.class, conf = "0:2") int number) {
            return ask(new Command.Propose(PROPOSALS.get(number)));
        }

        @Operation
        public String approve(@Param(gen = IntGen.class, conf = "0:2") int number) {
            return ask(new Command.Approve(PROPOSALS.get(number).proposalId(), VOTES.get(number)));
        }

        @Operation
        public String commit(@Param(gen = IntGen.class, conf = "0:2") int number) {
            return ask(new Command.Commit(PROPOSALS.get(number).proposalId(), Optional.empty()));
        }

        @Operation
        public long head() {
            return registry.view().version();
        }

        String ask(Command command) {
            Asked mine = new Asked(command, new CompletableFuture<>());
            waiting.add(mine);
            while (!mine.answer().isDone()) {
                if (writing.compareAndSet(false, true)) {
                    step();
                    writing.set(false);
                }
                LockSupport.parkNanos(TURN);
            }
            return mine.answer().join();
        }

        void step() {
            Turn turn = registry.begin(NOW);
            List<Runnable> answers = take(turn);
            write(registry, turn);
            answers.forEach(Runnable::run);
        }

        final List<Runnable> take(Turn turn) {
            List<Runnable> answers = new ArrayList<>();
            for (Asked next = waiting.poll(); next != null; next = waiting.poll()) {
                Asked asked = next;
                String answer = planned(turn, asked.command());
                answers.add(() -> {
                    boolean _ = asked.answer().complete(answer);
                });
            }
            return answers;
        }

        static String planned(Turn turn, Command command) {
            try {
                return switch (turn.take(command, BY)) {
                    case Answer.Proposed(var _, Standing standing, boolean repeated) -> standing + said(repeated);
                    case Answer.Approved(var _, int votes, boolean repeated) -> votes + " vote" + said(repeated);
                    case Answer.Committed(var entry, boolean repeated) -> "version " + entry.version() + said(repeated);
                    case Answer.Done(String what) -> what;
                };
            } catch (RonException refused) {
                return refused.reason();
            }
        }

        static String said(boolean repeated) {
            return repeated ? " already" : "";
        }
    }

    /** What must be so. */
    public static class Spec {
        private static final long STALE = -1;

        private final boolean[] open = {true, true, false};
        private final boolean[] voted = {true, true, false};
        private final long[] version = new long[3];
        private long head = 1;

        public String propose(int number) {
            if (open[number]) {
                return "PENDING already";
            }
            if (version[number] != 0) {
                return (version[number] == STALE ? "STALE" : "COMMITTED") + " already";
            }
            open[number] = true;
            return "PENDING";
        }

        public String approve(int number) {
            if (!open[number]) {
                return closed(number);
            }
            boolean before = voted[number];
            voted[number] = true;
            return "1 vote" + Operations.said(before);
        }

        public String commit(int number) {
            if (version[number] > 0) {
                return "version " + version[number] + " already";
            }
            if (!open[number]) {
                return closed(number);
            }
            if (!voted[number]) {
                return "quorum_failed";
            }
            open[number] = false;
            if (number < 2 && version[1 - number] > 0) {
                version[number] = STALE;
                return "stale_precondition";
            }
            version[number] = ++head;
            return "version " + head;
        }

        public long head() {
            return head;
        }

        private String closed(int number) {
            return version[number] == 0 ? "not_found" : version[number] == STALE ? "stale" : "committed";
        }
    }

    /** Broken: answers what is not written yet. */
    public static class AnswersFirst extends Operations {
        @Override
        void step() {
            Turn turn = registry.begin(NOW);
            take(turn).forEach(Runnable::run);
            LockSupport.parkNanos(PAUSE);
            write(registry, turn);
        }
    }

    /** Broken: everybody writes. */
    public static class TwoWriters extends Operations {
        @Override
        String ask(Command command) {
            Turn turn = registry.begin(NOW);
            String answer = planned(turn, command);
            write(registry, turn);
            return answer;
        }
    }

    private static StressOptions options() {
        return new StressOptions()
                .iterations(10)
                .invocationsPerIteration(50)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Spec.class);
    }

    // commit 0 | commit 1   ->  one becomes a version, the other is stale; both answers are seen by who asks next
    @Test
    void everyOrderOfCommandsIsAsGoodAsOneAfterTheOther() {
        options().check(Operations.class);
    }

    @Test
    void answeringBeforeWritingIsCaught() {
        assertThatThrownBy(() -> options().iterations(MANY).check(AnswersFirst.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void aSecondWriterIsCaught() {
        assertThatThrownBy(() -> options().iterations(MANY).check(TwoWriters.class))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
