package dev.ron.passport.office;

import dev.ron.passport.client.Client;
import dev.ron.passport.kms.CannotOpen;
import dev.ron.passport.kms.KeyRing;
import dev.ron.passport.kms.Keystore;
import dev.ron.token.Refused;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Journal and keystore together, each of which tells whether the other one is older than it was.
 *
 * <p>The keystore is written first and names the journal's last batch; the journal then notes the keystore's number. So
 * after a crash either may be one step ahead, but neither is ever behind what the other has seen.
 */
final class Archive {
    private final Keystore keystore;
    private final Journal journal;
    private long storeSeq;

    Archive(Keystore keystore, Journal journal) {
        this.keystore = keystore;
        this.journal = journal;
    }

    OfficeState open(String issuer, long now) throws IOException {
        long epoch = 1;
        long seq = 0;
        long keysNoted = 0;
        Map<String, Client> clients = new HashMap<>();
        List<Revocation> revoked = new ArrayList<>();
        List<JournalEntry.FloorDue> due = new ArrayList<>();
        for (JournalEntry entry : journal.read()) {
            switch (entry) {
                case JournalEntry.Revoked(FeedEntry what) -> {
                    revoked.add(what.revocation());
                    seq = Math.max(seq, what.seq());
                }
                case JournalEntry.Epoch(long value) -> epoch = Math.max(epoch, value);
                case JournalEntry.FloorDue floor -> due.add(floor);
                case JournalEntry.Sequence(long value) -> seq = Math.max(seq, value);
                case JournalEntry.KeysSaved(long number) -> keysNoted = Math.max(keysNoted, number);
                case JournalEntry.ClientGone(String id) ->
                    clients.values().removeIf(old -> old.id().equals(id));
                case JournalEntry.ClientKept(Client client) -> {
                    clients.values().removeIf(old -> old.id().equals(client.id()));
                    clients.put(client.prefix(), client);
                }
            }
        }
        KeyRing ring = openKeys(keysNoted);
        try {
            List<Revocation> live =
                    revoked.stream().filter(entry -> entry.keepUntil() >= now).toList();
            return OfficeState.of(issuer, epoch, seq, Revocations.none(now).with(live, now), due, ring, clients);
        } catch (Refused e) {
            throw CannotOpen.because("the journal holds too much: " + e.detail(), "restore the folder from a copy");
        }
    }

    private KeyRing openKeys(long noted) throws IOException {
        Optional<Keystore.Content> content = keystore.load();
        if (content.isEmpty() && noted > 0) {
            throw CannotOpen.rollback("the keystore is gone; the journal knows it");
        }
        if (content.isPresent() && content.get().seq() < noted) {
            throw CannotOpen.rollback(
                    "the keystore is write " + content.get().seq() + ", the journal has seen write " + noted);
        }
        if (content.isPresent() && content.get().seq() > 1 && journal.batches() == 0) {
            throw CannotOpen.rollback("the journal is gone; the keystore knows it");
        }
        if (content.isPresent() && content.get().journalSeq() > journal.batches()) {
            throw CannotOpen.rollback("the journal ends at batch " + journal.batches()
                    + ", the keystore has seen batch " + content.get().journalSeq());
        }
        storeSeq = content.map(Keystore.Content::seq).orElse(0L);
        return content.map(Keystore.Content::ring).orElse(KeyRing.EMPTY);
    }

    /** Makes a draft durable. */
    void write(Draft draft, OfficeState after) throws IOException {
        if (draft.keysChanged()) {
            if (journal.batches() == 0) {
                // So that every keystore knows of a journal, and one that is gone or empty is noticed.
                journal.append(List.of(new JournalEntry.Epoch(after.epoch())));
            }
            keystore.save(new Keystore.Content(storeSeq + 1, journal.batches(), draft.ring()));
            storeSeq++;
            draft.keysSaved(storeSeq);
        }
        journal.append(draft.entries());
    }

    /** Writes nothing, durably: where that works again, so does the rest. */
    void probe() throws IOException {
        journal.append(List.of());
    }

    boolean wantsRewrite() {
        return journal.wantsRewrite();
    }

    /** Makes the journal as short as what it says; nothing new is written. */
    void rewrite(OfficeState state, List<Client> guests) throws IOException {
        journal.rewrite(everything(state, guests));
    }

    private List<JournalEntry> everything(OfficeState state, List<Client> guests) {
        List<JournalEntry> all = new ArrayList<>();
        all.add(new JournalEntry.Epoch(state.epoch()));
        all.add(new JournalEntry.Sequence(state.seq()));
        all.add(new JournalEntry.KeysSaved(storeSeq));
        all.addAll(state.due());
        state.clients().values().stream()
                .filter(client -> !guests.contains(client))
                .forEach(client -> all.add(new JournalEntry.ClientKept(client)));
        state.revocations()
                .entries()
                .forEach(what ->
                        all.add(new JournalEntry.Revoked(new FeedEntry(Math.max(1, state.seq()), what, "kept"))));
        return all;
    }

    void close() throws IOException {
        journal.close();
    }
}
