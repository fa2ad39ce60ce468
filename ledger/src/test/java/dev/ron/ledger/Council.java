package dev.ron.ledger;

import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.ledger.sign.Ed25519SigningKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Signers with fixed keys for tests: member i of org i modulo the number of orgs. */
public final class Council {
    public static final String ORIGIN = "log.example/registry";
    public static final long NOW = 1_760_000_000_000L;
    public static final long HOUR = 3_600_000L;

    private final List<Ed25519SigningKey> keys = new ArrayList<>();
    private final List<Signer> signers = new ArrayList<>();

    public Council(int members, int orgs) {
        for (int i = 0; i < members; i++) {
            Ed25519SigningKey key = key("member " + i);
            keys.add(key);
            String org = "org" + (i % orgs);
            signers.add(Signer.active("org:" + org + "#m" + i, org, key.verifyKey()));
        }
    }

    public static Ed25519SigningKey key(String name) {
        return Ed25519SigningKey.ofSeed(Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), 32));
    }

    public List<Signer> signers() {
        return List.copyOf(signers);
    }

    public Signer signer(int member) {
        return signers.get(member);
    }

    public Ed25519SigningKey key(int member) {
        return keys.get(member);
    }

    public SignerSet set(int m) {
        return SignerSet.initial(m, signers);
    }

    public static Statement statement(Proposal proposal, String signerId, long setVersion) {
        return new Statement(
                ORIGIN,
                proposal.proposalId(),
                proposal.payloadB3(),
                Statement.Decision.APPROVE,
                signerId,
                setVersion,
                NOW,
                NOW + HOUR);
    }

    public Approval approve(int member, Proposal proposal, long setVersion) {
        return Approval.sign(statement(proposal, signers.get(member).signerId(), setVersion), keys.get(member));
    }

    public List<Approval> approve(Proposal proposal, long setVersion, int... members) {
        return Arrays.stream(members)
                .mapToObj(member -> approve(member, proposal, setVersion))
                .toList();
    }

    public static Draft draft(String url) {
        return Draft.of(
                "service", new ObjWriter().put("url", url).put("weight", 1).end());
    }

    public static Json.Obj body(String name, String value) {
        return new ObjWriter().put(name, value).end();
    }
}
