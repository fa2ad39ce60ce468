package dev.ron.registry.book;

import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.NoteSigner;
import dev.ron.ledger.sign.Ed25519SigningKey;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A process that commits as fast as it can and says so line by line, until it is killed. */
public final class CommitLoad {
    static final long SEGMENT = 64 << 10;

    private static final String ORIGIN = "kill.example/registry";
    private static final String SIGNER = "org:k#one";
    private static final Ed25519SigningKey KEY = Ed25519SigningKey.ofSeed(new byte[32]);
    private static final int GROUP = 4;

    private CommitLoad() {}

    static Registry open(Store store) throws IOException {
        Optional<Registry> known = Registry.open(store, Limits.DEFAULT);
        if (known.isPresent()) {
            return known.get();
        }
        try {
            ChangeSet genesis = ChangeSet.of(new Body.Genesis(
                    ORIGIN,
                    List.of(new NoteSigner(ORIGIN, NoteKey.Type.NOTE, KEY).key()),
                    SignerSet.initial(1, List.of(Signer.active(SIGNER, "k", KEY.verifyKey()))),
                    List.of()));
            return Registry.create(store, Limits.DEFAULT, Optional::empty, genesis, Signers.NOW);
        } catch (dev.ron.ledger.Refused e) {
            throw new IOException(e);
        }
    }

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (SegmentStore store = SegmentStore.open(new RealDisk(Path.of(args[0])), SEGMENT)) {
            Registry registry = open(store);
            out.println("ready " + registry.view().version());
            while (true) {
                StringBuilder told = new StringBuilder();
                Turn turn = registry.begin(Signers.NOW);
                for (int i = 0; i < GROUP; i++) {
                    told.append(commit(registry, turn, registry.view().version() + i))
                            .append('\n');
                }
                registry.write(turn);
                // Only now: these are acknowledged.
                out.print(told);
                out.flush();
            }
        }
    }

    private static String commit(Registry registry, Turn turn, long number) {
        Draft draft = Draft.of("service", new ObjWriter().put("n", number).end());
        Proposal proposal = Proposal.of(
                ChangeSet.of(new Body.Change(List.of(new Op.Put("svc." + number, 0, draft)))),
                "acme/ann",
                "n" + number,
                Signers.NOW,
                Signers.NOW + Signers.HOUR);
        String id = proposal.proposalId();
        Approval approval = Approval.sign(
                new Statement(
                        ORIGIN,
                        id,
                        proposal.payloadB3(),
                        Statement.Decision.APPROVE,
                        SIGNER,
                        1,
                        Signers.NOW,
                        Signers.NOW + Signers.HOUR),
                KEY);
        turn.take(new Command.Propose(proposal), Signers.ANN);
        turn.take(Signers.cast(registry, proposal, approval), Signers.ANN);
        Answer.Committed done = (Answer.Committed) turn.take(new Command.Commit(id, Optional.empty()), Signers.ANN);
        return "committed " + done.entry().version() + " " + id + " "
                + done.entry().hash();
    }
}
