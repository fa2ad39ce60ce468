package dev.ron.registry.book;

import static dev.ron.registry.book.Signers.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.Refused;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.log.Rigor;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.SegmentStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The power is cut at every single operation on the disk; what was acknowledged is there, once, and verifies. */
class CrashTest {
    private static final int SEGMENT = 6 << 10;
    private static final int COMMITS = 4;

    private final Signers council = new Signers(2, 3);
    private final List<Proposal> proposals = new ArrayList<>();

    CrashTest() {
        for (int i = 0; i < COMMITS; i++) {
            proposals.add(council.put("svc." + i, 0, "http://" + i));
        }
    }

    /** What callers were told before the cut. */
    private static final class Told {
        final Set<String> proposed = new HashSet<>();
        final Set<String> approved = new HashSet<>();
        final Set<String> committed = new HashSet<>();
        boolean created;
    }

    private Told run(FaultyDisk disk) throws IOException {
        Told told = new Told();
        try {
            SegmentStore store = SegmentStore.open(disk, SEGMENT);
            Registry registry = council.create(store);
            told.created = true;
            for (Proposal proposal : proposals) {
                step(registry, proposal, told);
            }
        } catch (FaultyDisk.PowerCut cut) {
            assertThat(cut).isNotNull();
        }
        return told;
    }

    private void step(Registry registry, Proposal proposal, Told told) throws IOException {
        String id = proposal.proposalId();
        take(registry, new Command.Propose(proposal));
        told.proposed.add(id);
        boolean open = registry.book().docket(id).isPresent();
        for (int member : open ? new int[] {0, 2} : new int[0]) {
            take(registry, Signers.cast(registry, proposal, council.approve(member, proposal, 1)));
            told.approved.add(id + member);
        }
        take(registry, new Command.Commit(id, Optional.empty()));
        told.committed.add(id);
    }

    @Test
    void everyCutLeavesWhatWasAcknowledged() throws Exception {
        FaultyDisk whole = new FaultyDisk();
        run(whole);
        int operations = whole.operations();
        assertThat(operations).isGreaterThan(40);
        Random random = new Random(11);
        int unacknowledged = 0;
        for (int cut = 1; cut <= operations; cut++) {
            for (FaultyDisk.Survivors survivors : FaultyDisk.Survivors.values()) {
                FaultyDisk disk = new FaultyDisk();
                disk.cutAfter(cut);
                Told told = run(disk);
                unacknowledged += recovered(
                        disk.afterCut(survivors, random), told, cut % 16 == 0, "cut " + cut + " " + survivors);
            }
        }
        assertThat(unacknowledged)
                .as("cuts after which a commit nobody was told of is there all the same (K4, K6)")
                .isPositive();
    }

    private int recovered(FaultyDisk disk, Told told, boolean deep, String when) throws Exception {
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT)) {
            Optional<Registry> opened = Registry.open(store, Limits.DEFAULT);
            assertThat(store.trouble()).as(when).isEmpty();
            if (opened.isEmpty()) {
                assertThat(told.created).as(when).isFalse();
                return 0;
            }
            Registry registry = opened.get();
            Book book = registry.book();
            for (String id : told.committed) {
                assertThat(book.versionOf(id)).as(when + " committed").isPresent();
            }
            for (String id : told.proposed) {
                assertThat(book.versionOf(id).isPresent() || book.docket(id).isPresent())
                        .as(when + " proposed")
                        .isTrue();
            }
            for (Proposal proposal : proposals) {
                long votes = told.approved.stream()
                        .filter(vote -> vote.startsWith(proposal.proposalId()))
                        .count();
                book.docket(proposal.proposalId())
                        .ifPresent(docket -> assertThat(docket.votes().size())
                                .as(when + " votes")
                                .isGreaterThanOrEqualTo((int) votes));
            }
            int more = (int) (registry.view().version() - 1) - told.committed.size();
            assertThat(more).as(when).isBetween(0, 1);
            // A caller that was not answered asks again, and everything ends up there once.
            for (Proposal proposal : proposals) {
                step(registry, proposal, told);
            }
            assertThat(registry.view().version()).as(when).isEqualTo(COMMITS + 1L);
            verify(registry, deep ? Rigor.SIGNATURES : Rigor.HASHES);
            return more;
        }
    }

    private static void verify(Registry registry, Rigor rigor) throws IOException, Refused {
        Ledger ledger = Ledger.open(registry.artifact(1).orElseThrow());
        for (long version = 2; version <= registry.view().version(); version++) {
            ledger = ledger.accept(registry.artifact(version).orElseThrow(), rigor);
        }
        assertThat(ledger.headHash()).isEqualTo(registry.view().ledger().headHash());
        AuditRecord before = registry.audit(1);
        for (long seq = 2; seq <= registry.view().auditSeq(); seq++) {
            AuditRecord record = registry.audit(seq);
            record.mustFollow(before);
            before = record;
        }
        assertThat(before.hash()).isEqualTo(registry.view().auditHash());
    }
}
