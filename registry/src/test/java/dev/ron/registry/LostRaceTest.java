package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.book.Signers;
import dev.ron.registry.book.Standing;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.Rec;
import dev.ron.registry.store.Ref;
import dev.ron.registry.store.Store;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer that finds the log longer than it knew it writes nothing, says so, and reads what the other wrote. */
@Timeout(60)
class LostRaceTest {
    private final Signers council = new Signers(2, 3);

    /** A store to which another writer appends a batch first. */
    private static final class Contested implements Store {
        private final MemoryStore memory = new MemoryStore();
        private final AtomicReference<Optional<Rec>> other = new AtomicReference<>(Optional.empty());

        @Override
        public Recovery replay(Reader reader) throws IOException {
            return memory.replay(reader);
        }

        @Override
        public long next() {
            return memory.next();
        }

        @Override
        public void append(long expected, List<Rec> records) throws StoreFault {
            Optional<Rec> first = other.getAndSet(Optional.empty());
            if (first.isPresent()) {
                memory.append(memory.next(), List.of(first.get()));
            }
            memory.append(expected, records);
        }

        @Override
        public Rec read(Ref ref) throws IOException {
            return memory.read(ref);
        }

        @Override
        public Optional<StoreFault> trouble() {
            return memory.trouble();
        }

        @Override
        public long bytes() {
            return memory.bytes();
        }

        @Override
        public int segments() {
            return memory.segments();
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    // a commit is planned | another writer appends | the commit is appended   ->  refused and counted, then it succeeds
    @Test
    void aCommitThatLosesTheRaceIsCountedAndCanBeTriedAgain() throws Exception {
        Contested store = new Contested();
        try (CommitDesk desk = new CommitDesk(store, council)) {
            Proposal mine = desk.approved("svc.mine");
            Proposal others = council.put("svc.other", 0, "http://other");
            store.other.set(Optional.of(new Rec(Rec.Type.PROPOSAL, CanonicalJson.bytes(others.toJson()))));
            assertThatThrownBy(() -> desk.commit(mine)).isInstanceOfSatisfying(RonException.class, lost -> {
                assertThat(lost.code()).isEqualTo(Code.CONFLICT);
                assertThat(lost.reason()).isEqualTo("chain_mismatch");
            });
            assertThat(desk.count("commit_cas_fail_total/")).isEqualTo(1);
            assertThat(desk.registry.view().version()).isEqualTo(1);
            assertThat(desk.registry.book().standing(others.proposalId())).contains(Standing.PENDING);
            assertThat(desk.commit(mine).entry().version()).isEqualTo(2);
            assertThat(desk.count("commit_cas_fail_total/")).isEqualTo(1);
        }
    }
}
