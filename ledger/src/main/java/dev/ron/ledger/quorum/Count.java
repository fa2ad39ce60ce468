package dev.ron.ledger.quorum;

import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Votes against what one signer set asks: distinct signers, distinct organisations, post-quantum signers. */
public record Count(long setVersion, int n, int need, int have, int needOrgs, int haveOrgs, int needPq, int havePq) {
    static Count of(SignerSet set, int need, Map<String, List<Approval>> bySigner) {
        int have = 0;
        int havePq = 0;
        Set<String> orgs = new HashSet<>();
        for (List<Approval> approvals : bySigner.values()) {
            Optional<Signer> signer = approvals.stream()
                    .flatMap(approval -> standing(set, approval).stream())
                    .findFirst();
            if (signer.isPresent()) {
                have++;
                havePq += signer.get().isPostQuantum() ? 1 : 0;
                orgs.add(signer.get().org());
            }
        }
        return new Count(set.setVersion(), set.n(), need, have, set.minOrgs(), orgs.size(), set.kPq(), havePq);
    }

    /**
     * The signer for whom the approval stands in this set: listed, active, and signing with every key listed.
     *
     * <p>Every key, so that a hybrid signer cannot be downgraded to its classical half.
     */
    static Optional<Signer> standing(SignerSet set, Approval approval) {
        return set.signer(approval.signerId())
                .filter(Signer::isActive)
                .filter(signer -> signer.keys().stream().allMatch(key -> approval.hasSignatureOf(key.keyId())));
    }

    public boolean satisfied() {
        return have >= need && haveOrgs >= needOrgs && havePq >= needPq;
    }

    /** What is missing, or nothing: {@code signer set 2: 1 of 3 approvals, 1 of 2 organisations}. */
    String missing() {
        List<String> parts = new ArrayList<>();
        if (have < need) {
            parts.add(have + " of " + need + " approvals");
        }
        // One organisation is no extra demand: any approval brings it.
        if (haveOrgs < needOrgs && needOrgs > 1) {
            parts.add(haveOrgs + " of " + needOrgs + " organisations");
        }
        if (havePq < needPq) {
            parts.add(havePq + " of " + needPq + " post-quantum approvals");
        }
        return parts.isEmpty() ? "" : "signer set " + setVersion + ": " + String.join(", ", parts);
    }
}
