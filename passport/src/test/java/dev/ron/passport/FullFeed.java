package dev.ron.passport;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.office.FileJournal;
import dev.ron.passport.office.JournalEntry;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process of its own: an office that remembers as much as it may, and four verifiers that begin at the same time. */
final class FullFeed {
    private static final int VERIFIERS = 4;

    private FullFeed() {}

    public static void main(String[] args) {
        try {
            run(Path.of(args[0]));
            System.exit(0);
        } catch (Exception | AssertionError e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void run(Path folder) throws Exception {
        write(folder.resolve("journal.bin"), Clock.system().now().getEpochSecond());
        List<RemoteVerifier> verifiers = new ArrayList<>();
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            Revocations all = office.service().state().revocations();
            if (all.idCount() != Revocations.MAX_IDS || all.subjectCount() != Revocations.MAX_SUBJECTS) {
                throw new AssertionError(all.idCount() + " ids, " + all.subjectCount() + " subjects");
            }
            String key = office.service().ownKey().reveal();
            for (int i = 0; i < VERIFIERS; i++) {
                verifiers.add(new RemoteVerifier(office.service().issuer(), office.url(""), key, Clock.system()));
            }
            Eventually.await("all to know all", () -> verifiers.stream().allMatch(one -> one.ageSeconds() < 30));
            verifiers.forEach(RemoteVerifier::close);
        }
        System.out.println("all heard");
    }

    private static void write(Path file, long now) throws Exception {
        List<JournalEntry> entries = new ArrayList<>();
        for (int i = 0; i < Revocations.MAX_IDS; i++) {
            entries.add(entry(entries.size(), new Revocation.Id("id%020d".formatted(i), now + 3600)));
        }
        for (int i = 0; i < Revocations.MAX_SUBJECTS; i++) {
            entries.add(entry(entries.size(), new Revocation.Subject("tenant", "subject-%060d".formatted(i), now)));
        }
        try (FileJournal journal = FileJournal.open(file)) {
            journal.append(entries);
        }
    }

    private static JournalEntry entry(int before, Revocation what) {
        return new JournalEntry.Revoked(new FeedEntry(before + 1, what, "compromise"));
    }
}
