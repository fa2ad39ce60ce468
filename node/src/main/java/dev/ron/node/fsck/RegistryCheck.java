package dev.ron.node.fsck;

import dev.ron.ledger.Refused;
import dev.ron.node.Findings;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Scrutiny;
import dev.ron.registry.disk.Disk;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.registry.tlog.Witness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Replays the whole log, every hash and signature, and compares its end with what its witnesses remember. */
record RegistryCheck(Path witness) implements Fsck.Part {
    private static final String WHAT = "registry";
    private static final long SEGMENT_BYTES = 64L << 20; // only a writer cares

    @Override
    public void check(Path folder, Findings findings) throws IOException {
        Disk disk = new ReadOnlyDisk(folder);
        try (SegmentStore store = SegmentStore.open(disk, SEGMENT_BYTES)) {
            Optional<Registry> opened = Registry.open(store, Limits.DEFAULT, () -> Archive.newestSnapshot(disk));
            if (store.trouble().isPresent()) {
                findings.bad(WHAT, String.valueOf(store.trouble().get().getMessage()), "ron restore brings it back");
            } else if (opened.isEmpty()) {
                empty(disk.exists("HEAD"), "no log was begun", findings);
            } else {
                whole(opened.get(), disk, findings);
            }
        }
    }

    @Override
    public void absent(String name, Findings findings) {
        empty(false, "not there", findings);
    }

    /** A log lost whole is not one that was never begun: what lies outside of the folder remembers. */
    private void empty(boolean remembered, String otherwise, Findings findings) {
        if (remembered || Files.exists(witness)) {
            findings.bad(WHAT, "there is no log, but there was one before", "put the newest backup back");
        } else {
            findings.ok(WHAT, otherwise);
        }
    }

    private void whole(Registry registry, Disk disk, Findings findings) throws IOException {
        Store.Recovery recovery = registry.recovery();
        try {
            Scrutiny scrutiny = new Scrutiny(registry);
            while (scrutiny.step()) {
                // to the end of the log
            }
            findings.ok(WHAT, "version " + scrutiny.verified() + ", every batch, hash and signature holds");
        } catch (Refused e) {
            findings.bad(WHAT, e.detail(), "ron restore brings it back");
        }
        if (recovery.truncatedBytes() > 0) {
            findings.warn(
                    WHAT,
                    recovery.truncatedBytes() + " bytes of a batch that nobody was told of",
                    "the next start cuts them off");
        }
        LogKeys.read(disk);
        new Witness(disk, "HEAD").check(registry);
        Path outside = witness.toAbsolutePath();
        Path where = outside.getParent();
        if (where != null) {
            new Witness(new ReadOnlyDisk(where), String.valueOf(outside.getFileName())).check(registry);
        }
        findings.ok("registry witness", "the log is not older than it was");
    }
}
