package dev.ron.registry.book;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.Ref;
import java.io.IOException;
import java.util.List;

/** Writes into a log what no writer would: every hash fits, a signature does not. */
public final class Forgery {
    private Forgery() {}

    /** Commits a proposal on two votes, the first of which its signer never signed. */
    public static void commit(Registry registry, Signers council, Proposal proposal) throws IOException {
        Approval forged = new Approval(
                council.approve(0, proposal, 1).statement(),
                council.approve(0, council.put("svc.else", 0, "http://else"), 1).signatures());
        Approval good = council.approve(1, proposal, 1);
        Entry entry;
        try {
            entry = registry.view()
                    .ledger()
                    .commit(proposal, List.of(forged, good), Signers.NOW + 1, 0)
                    .artifact()
                    .entry();
        } catch (Refused e) {
            throw new AssertionError(e);
        }
        long seq = registry.store().next();
        List<Ref> votes = List.of(new Ref(seq, 1), new Ref(seq, 2));
        registry.store()
                .append(
                        seq,
                        List.of(
                                new Rec(Rec.Type.PROPOSAL, CanonicalJson.bytes(proposal.toJson())),
                                new Rec(Rec.Type.APPROVAL, forged.bytes()),
                                new Rec(Rec.Type.APPROVAL, good.bytes()),
                                new Rec(Rec.Type.ENTRY, new CommitRecord(entry, new Ref(seq, 0), votes).bytes())));
        registry.reopen();
    }
}
