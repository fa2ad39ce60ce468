package dev.ron.registry.tlog;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.note.SignedNote;
import dev.ron.ledger.state.Held;
import dev.ron.ledger.state.State;
import dev.ron.ledger.tree.EntryBundle;
import dev.ron.ledger.tree.TilePath;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Savepoint;
import dev.ron.registry.book.View;
import dev.ron.registry.disk.Disk;
import dev.ron.registry.store.StoreFault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log as plain files, for any web server and any C2SP reader: {@code tlog/checkpoint}, {@code tlog/tile/...}; and
 * beside them every stored checkpoint and the newest snapshot of the state.
 *
 * <p>Tiles are written before the checkpoint that needs them, each file whole or not at all.
 */
public final class Archive {
    private static final Logger LOG = LoggerFactory.getLogger(Archive.class);
    private static final String CHECKPOINTS = "checkpoints";
    private static final String SNAPSHOTS = "snapshots";
    private static final String TAG = "registry.snapshot/v1";
    private static final int MAX_ROWS = 16 << 20;
    private static final StrictJson LARGE = new StrictJson(1 << 30, 40);

    private final Disk disk;
    private final Registry registry;
    private long tiled;

    public Archive(Disk disk, Registry registry) {
        this.disk = disk;
        this.registry = registry;
    }

    public void store(View view, SignedNote checkpoint) throws IOException {
        long size = view.version();
        long signed = newestCheckpoint(disk);
        if (signed > size) {
            throw new StoreFault(
                    StoreFault.Kind.ROLLED_BACK,
                    "a checkpoint of version " + signed + " is stored, one of version " + size + " would take it back");
        }
        for (TilePath path : TilePath.grown(tiled, size)) {
            String name = "tlog/" + path;
            if (!path.isFull() || !disk.exists(name)) {
                disk.replace(name, tile(view, path));
            }
        }
        byte[] note = checkpoint.render().getBytes(StandardCharsets.UTF_8);
        disk.replace("tlog/checkpoint", note);
        disk.replace(nameOf(size), note);
        snapshot(view);
        tiled = size;
    }

    private byte[] tile(View view, TilePath path) throws IOException {
        if (path.level() != TilePath.ENTRIES) {
            return view.ledger().tree().tile(path);
        }
        List<byte[]> entries = new ArrayList<>();
        for (int i = 0; i < path.width(); i++) {
            entries.add(registry.entry(path.index() * TilePath.FULL + i + 1).bytes());
        }
        return EntryBundle.encode(entries);
    }

    private void snapshot(View view) throws IOException {
        List<Json> rows = view.ledger().state().all().map(Archive::row).toList();
        byte[] bytes = CanonicalJson.bytes(new ObjWriter()
                .put("t", TAG)
                .put("version", view.version())
                .put("rows", new Json.Arr(rows))
                .end());
        String name = String.format(Locale.ROOT, "%020d.json", view.version());
        disk.replace(SNAPSHOTS + "/" + name, bytes);
        for (String old : disk.list(SNAPSHOTS)) {
            if (old.compareTo(name) < 0) {
                disk.delete(SNAPSHOTS + "/" + old);
            }
        }
    }

    private static Json row(Held held) {
        ObjWriter row =
                new ObjWriter().put("descriptor", held.descriptor().toJson()).put("version", held.version());
        return (held.contentVersion() == held.version() ? row : row.put("content_version", held.contentVersion()))
                .end();
    }

    /** The size of the newest stored checkpoint; 0 where there is none. */
    public static long newestCheckpoint(Disk disk) throws IOException {
        List<Long> sizes = sizes(disk);
        return sizes.isEmpty() ? 0 : sizes.getLast();
    }

    private static List<Long> sizes(Disk disk) throws IOException {
        return disk.list(CHECKPOINTS).stream()
                .filter(name -> name.matches("[0-9]{20}"))
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    /** The sizes of all stored checkpoints, ascending. */
    public List<Long> checkpoints() throws IOException {
        return sizes(disk);
    }

    /** A stored checkpoint as it was signed. */
    public Optional<String> checkpoint(long size) throws IOException {
        String name = nameOf(size);
        return disk.exists(name)
                ? Optional.of(new String(disk.readAll(name), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    private static String nameOf(long size) {
        return String.format(Locale.ROOT, CHECKPOINTS + "/%020d", size);
    }

    /** The newest snapshot that can be read; whether it is right, the entry of its version tells. */
    public static Optional<Savepoint> newestSnapshot(Disk disk) throws IOException {
        for (String name : disk.list(SNAPSHOTS).reversed()) {
            if (!name.matches("[0-9]{20}\\.json")) {
                continue;
            }
            try {
                return Optional.of(read(disk.readAll(SNAPSHOTS + "/" + name)));
            } catch (Refused e) {
                LOG.warn("snapshot {} is not used: {}", name, e.detail());
            }
        }
        return Optional.empty();
    }

    private static Savepoint read(byte[] bytes) throws Refused {
        Fields fields = Fields.of(LARGE.read(bytes, "snapshot"), "snapshot").tag(TAG);
        long version = fields.natural("version");
        List<Held> rows = fields.list("rows", MAX_ROWS, Archive::row);
        return fields.build(() -> new Savepoint(version, State.of(rows)));
    }

    private static Held row(Json value, String what) throws Refused {
        Fields row = Fields.of(value, what);
        Descriptor descriptor = row.one("descriptor", Descriptor::fromJson);
        long version = row.natural("version");
        // Older releases did not write it; the log still tells.
        long unsaid = descriptor.state() == Descriptor.State.DEPRECATED ? 0 : version;
        long contentVersion = row.optionalInteger("content_version", 0, version).orElse(unsaid);
        return row.build(() -> Held.of(descriptor, version, contentVersion));
    }
}
