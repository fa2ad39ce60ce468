package dev.ron.registry.tlog;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.StrictJson;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.View;
import dev.ron.registry.disk.Disk;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.util.Optional;

/**
 * A file that remembers how far the log had come.
 *
 * <p>A folder that is put back to an older state looks whole from inside; a witness that lies elsewhere tells. It may lag
 * behind the log, never lead it.
 */
public final class Witness {
    private static final String TAG = "registry.witness/v1";

    private final Disk disk;
    private final String name;
    private long written;

    public Witness(Disk disk, String name) {
        this.disk = disk;
        this.name = name;
    }

    /** Refuses a log that is shorter than it was, or another one. */
    public void check(Registry registry) throws IOException {
        Optional<Seen> seen = mustNotLead(registry.view());
        if (seen.isPresent()
                && !registry.entry(seen.get().version())
                        .hash()
                        .equals(seen.get().hash())) {
            throw rolledBack("version " + seen.get().version() + " is not the one that was there before");
        }
    }

    /** Refuses a folder without a log where there was one. */
    public void mustHaveSeenNone() throws StoreFault {
        if (disk.exists(name)) {
            throw rolledBack("there is no log, but there was one before");
        }
    }

    /** What the file says. */
    private record Seen(String origin, long version, B3 hash) {}

    private Optional<Seen> mustNotLead(View view) throws IOException {
        if (!disk.exists(name)) {
            return Optional.empty();
        }
        Seen seen = read();
        String mine = view.ledger().genesis().origin();
        if (!seen.origin().equals(mine)) {
            throw rolledBack("the witness is of log " + seen.origin() + ", the folder holds " + mine);
        }
        if (seen.version() > view.version()) {
            throw rolledBack(
                    "the log ends at version " + view.version() + ", it was at version " + seen.version() + " before");
        }
        return Optional.of(seen);
    }

    private Seen read() throws IOException {
        try {
            Fields fields = Fields.of(StrictJson.HASHED.read(disk.readAll(name), name), name)
                    .tag(TAG);
            String origin = fields.string("origin");
            long version = fields.natural("version");
            B3 hash = fields.one("hash", B3::fromJson);
            return new Seen(origin, version, hash);
        } catch (Refused e) {
            throw rolledBack("the witness cannot be read: " + e.detail());
        }
    }

    private StoreFault rolledBack(String why) {
        return new StoreFault(StoreFault.Kind.ROLLED_BACK, why + " (" + disk + "/" + name + ")");
    }

    /** Remembers this view, never one that is older than what is remembered; nothing happens where it is already. */
    public void remember(View view) throws IOException {
        if (view.version() == written) {
            return;
        }
        mustNotLead(view);
        begin(view);
    }

    /** Remembers this view whatever was remembered before: another log takes the old one's place. */
    public void begin(View view) throws IOException {
        disk.replace(
                name,
                CanonicalJson.bytes(new ObjWriter()
                        .put("t", TAG)
                        .put("origin", view.ledger().genesis().origin())
                        .put("version", view.version())
                        .put("hash", view.ledger().headHash().toJson())
                        .end()));
        written = view.version();
    }
}
