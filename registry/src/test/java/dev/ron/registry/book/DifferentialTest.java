package dev.ron.registry.book;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.error.RonException;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.state.State;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.Oracles;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.io.TempDir;

/** One random script on three stores: the same head, the same answers, the same refusals; and the state is what replay says. */
class DifferentialTest {
    private static final int STEPS = 120;

    @TempDir
    Path folder;

    private final Signers council = new Signers(2, 3);

    @RepeatedTest(5)
    void allStoresAgree(RepetitionInfo run) throws Exception {
        List<Command> script = script(new Random(run.getCurrentRepetition()));
        List<String> ours = play(SegmentStore.open(new FaultyDisk(), 8 << 10), script);
        assertThat(play(new MemoryStore(), script)).isEqualTo(ours);
        assertThat(play(Oracles.sqlite(folder.resolve("o.db")), script)).isEqualTo(ours);
        assertThat(ours).anyMatch(line -> line.startsWith("committed"));
    }

    private List<Command> script(Random random) throws IOException {
        Registry electorate = council.create(new MemoryStore());
        List<Command> script = new ArrayList<>();
        List<Proposal> proposals = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            if (proposals.isEmpty() || random.nextInt(4) == 0) {
                String id = "svc." + random.nextInt(4);
                long rev = random.nextInt(3) == 0 ? 1 : 0;
                Op op = rev > 0 && random.nextInt(4) == 0
                        ? new Op.Remove(id, rev)
                        : new Op.Put(id, rev, Signers.draft("http://" + i));
                Proposal proposal = council.propose(new Body.Change(List.of(op)));
                proposals.add(proposal);
                script.add(new Command.Propose(proposal));
                continue;
            }
            Proposal proposal = proposals.get(random.nextInt(proposals.size()));
            String id = proposal.proposalId();
            script.add(
                    switch (random.nextInt(5)) {
                        case 0, 1, 2 ->
                            Signers.cast(electorate, proposal, council.approve(random.nextInt(3), proposal, 1));
                        case 3 -> new Command.Commit(id, Optional.empty());
                        default ->
                            random.nextInt(6) == 0
                                    ? new Command.Withdraw(id)
                                    : new Command.Commit(id, Optional.empty());
                    });
        }
        return script;
    }

    private List<String> play(Store store, List<Command> script) throws IOException {
        List<String> lines = new ArrayList<>();
        try (store) {
            Registry registry = council.create(store);
            for (int i = 0; i < script.size(); i++) {
                lines.add(said(registry, script.get(i)));
                if (i % 17 == 0) {
                    registry.reopen();
                }
            }
            View view = registry.view();
            lines.add(view.ledger().headHash() + " " + view.auditHash() + " "
                    + view.ledger().tree().root());
            registry.reopen();
            assertThat(registry.view().ledger().headHash())
                    .isEqualTo(view.ledger().headHash());
            assertThat(registry.view().auditHash()).isEqualTo(view.auditHash());
            TreeMap<String, String> held = new TreeMap<>();
            State state = registry.view().ledger().state();
            state.all()
                    .forEach(one ->
                            held.put(one.descriptor().id(), one.descriptor().toString()));
            lines.add(held.toString());
        }
        return lines;
    }

    private static String said(Registry registry, Command command) throws IOException {
        try {
            return switch (Signers.take(registry, command)) {
                case Answer.Committed committed ->
                    "committed " + committed.entry().version() + " " + committed.repeated();
                case Answer answer -> answer.toString();
            };
        } catch (RonException refused) {
            return "refused " + refused.reason();
        }
    }
}
