package dev.ron.node.fsck;

import dev.ron.node.Findings;
import dev.ron.passport.audit.AuditFile;
import dev.ron.passport.kms.CannotOpen;
import dev.ron.passport.kms.FileKeystore;
import dev.ron.passport.kms.Keystore;
import dev.ron.passport.office.FileJournal;
import dev.ron.service.config.Secret;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/** Opens the keystore, reads the journal, compares the two, and follows the chain of the audit lines. */
record PassportCheck(Optional<Secret> passphrase) implements Fsck.Part {

    @Override
    public void check(Path folder, Findings findings) throws IOException {
        long batches = journal(folder, findings);
        keystore(folder, batches, findings);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "audit.log*")) {
            for (Path file : files) {
                audit(file, findings);
            }
        }
    }

    /** Reading cuts a torn batch off: so on a copy. */
    private static long journal(Path folder, Findings findings) throws IOException {
        Path file = folder.resolve("journal.bin");
        if (!Files.exists(file)) {
            if (Files.exists(folder.resolve("keystore.json"))) {
                findings.bad(
                        "passport journal",
                        "journal.bin is not there, though there are keys: revocations may be missing",
                        "restore the newest copy of the whole folder");
            }
            return 0;
        }
        Path copy = Files.createTempFile("journal", ".bin");
        try {
            Files.write(copy, Files.readAllBytes(file));
            long before = Files.size(copy);
            try (FileJournal journal = FileJournal.open(copy)) {
                int entries = journal.read().size();
                findings.ok("passport journal", entries + " entries in " + journal.batches() + " batches");
                if (Files.size(copy) < before) {
                    findings.warn(
                            "passport journal",
                            before - Files.size(copy) + " bytes of a batch that nobody was told of",
                            "the next start cuts them off");
                }
                return journal.batches();
            } catch (CannotOpen damaged) {
                String where = String.valueOf(damaged.getMessage()).replace(copy.toString(), file.toString());
                findings.bad("passport journal", where, damaged.advice());
                return Long.MAX_VALUE; // one complaint is enough
            }
        } finally {
            Files.delete(copy);
        }
    }

    private void keystore(Path folder, long batches, Findings findings) throws IOException {
        Path file = folder.resolve("keystore.json");
        Optional<Secret> secret = passphrase.filter(given -> !given.isEmpty());
        if (secret.isEmpty() && Files.exists(folder.resolve("passphrase"))) {
            secret = Optional.of(
                    Secret.of(Files.readString(folder.resolve("passphrase")).strip()));
        }
        if (!Files.exists(file)) {
            findings.ok("passport keystore", "none was made");
        } else if (secret.isEmpty()) {
            findings.warn(
                    "passport keystore", "not opened, for want of its passphrase", "set passport.kms.passphrase_file");
        } else {
            opened(new FileKeystore(file, secret.get(), new SecureRandom()), batches, findings);
        }
    }

    private static void opened(FileKeystore keystore, long batches, Findings findings) throws IOException {
        try {
            Optional<Keystore.Content> content = keystore.load();
            long expected = content.map(Keystore.Content::journalSeq).orElse(0L);
            if (expected > batches) {
                findings.bad(
                        "passport keystore",
                        "it has seen batch " + expected + " of the journal, which ends at " + batches,
                        "the journal is older than it was, or gone: restore the newest copy of the whole folder");
            } else {
                findings.ok("passport keystore", "opens, and the journal is not older than it was");
            }
        } catch (CannotOpen damaged) {
            findings.bad("passport keystore", String.valueOf(damaged.getMessage()), damaged.advice());
        }
    }

    private static void audit(Path file, Findings findings) throws IOException {
        String what = "passport " + file.getFileName();
        if (AuditFile.isTorn(file)) {
            findings.warn(what, "its last line is cut short", "the next start takes it off");
            return;
        }
        try {
            findings.ok(what, AuditFile.verify(file) + " lines, each follows from the one before");
        } catch (CannotOpen broken) {
            findings.bad(what, String.valueOf(broken.getMessage()), broken.advice());
        }
    }
}
