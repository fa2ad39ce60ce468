package dev.ron.registry;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.state.Held;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Savepoint;
import dev.ron.registry.book.View;
import dev.ron.registry.disk.RealDisk;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.registry.tlog.Witness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What an operator does whose newer log is lost for good: goes on from the older one as another log.
 *
 * <p>Others may have seen, and trust, what came after. Under the old name there would be two logs that both claim to be
 * the one; so the state moves into the genesis of a new log with an origin and keys of its own, which whoever verifies has
 * to pin anew. The old log is kept beside it, unchanged.
 */
public final class Rollback {
    private static final long SEGMENT_BYTES = 64L << 20; // the node makes its own
    private static final String MARK = "/restored/";

    private final Path folder;
    private final Optional<Path> witness;

    /**
     * What has happened to a log.
     *
     * @param why what says that it was newer before
     * @param deprecated descriptors that a genesis can only carry as published
     */
    public record Found(String origin, long version, int descriptors, int deprecated, String why) {}

    /** The log that takes its place, and where the old one is kept. */
    public record Accepted(String origin, B3 genesis, Path kept) {}

    /** {@code witness} is what remembers the head outside the folder. */
    public Rollback(Path folder, Optional<Path> witness) {
        this.folder = folder.toAbsolutePath().normalize();
        this.witness = witness.map(Path::toAbsolutePath);
    }

    /** Looks and changes nothing; empty where the log is as new as it ever was. */
    public Optional<Found> look() throws IOException {
        try (SegmentStore store = SegmentStore.open(new RealDisk(folder), SEGMENT_BYTES)) {
            Registry registry = read(store);
            return why(registry).map(why -> found(registry, why));
        }
    }

    private static Found found(Registry registry, String why) {
        View view = registry.view();
        List<Descriptor> live = live(view);
        return new Found(
                view.ledger().genesis().origin(),
                view.version(),
                live.size(),
                (int) live.stream()
                        .filter(descriptor -> descriptor.state() == Descriptor.State.DEPRECATED)
                        .count(),
                why);
    }

    private Registry read(SegmentStore store) throws IOException {
        Savepoint.Source snapshots = () -> Archive.newestSnapshot(new RealDisk(folder));
        Optional<Registry> registry = Registry.open(store, Limits.DEFAULT, snapshots);
        if (store.trouble().isPresent()) {
            throw store.trouble().get();
        }
        return registry.orElseThrow(
                () -> new StoreFault(StoreFault.Kind.CORRUPT, "there is no log in " + folder + " to go on from"));
    }

    private Optional<String> why(Registry registry) throws IOException {
        try {
            RealDisk disk = new RealDisk(folder);
            new Witness(disk, "HEAD").check(registry);
            if (witness.isPresent()) {
                outside(witness.get()).check(registry);
            }
            LogFolder.requireSigned(registry, disk);
            return Optional.empty();
        } catch (StoreFault fault) {
            if (fault.kind() != StoreFault.Kind.ROLLED_BACK) {
                throw fault;
            }
            return Optional.of(String.valueOf(fault.getMessage()));
        }
    }

    static Witness outside(Path file) throws IOException {
        Path parent = file.getParent();
        return new Witness(new RealDisk(parent == null ? file : parent), String.valueOf(file.getFileName()));
    }

    private static List<Descriptor> live(View view) {
        return view.ledger()
                .state()
                .all()
                .map(Held::descriptor)
                .filter(Descriptor::isLive)
                .sorted(Comparator.comparing(Descriptor::id))
                .toList();
    }

    /**
     * Founds the new log and puts it in the old one's place.
     *
     * <p>The new one is whole before the old one moves, and the witness outside changes last: until then a start is refused
     * as before, and this can be done again.
     */
    public Accepted accept(long nowMs, SecureRandom random) throws IOException, Refused {
        Path fresh = folder.resolveSibling(folder.getFileName() + ".new-" + nowMs);
        Accepted accepted;
        View first;
        try (SegmentStore store = SegmentStore.open(new RealDisk(folder), SEGMENT_BYTES)) {
            Registry old = read(store);
            if (why(old).isEmpty()) {
                throw new StoreFault(
                        StoreFault.Kind.MOVED,
                        "version " + old.view().version() + " is as new as the log ever was: nothing to accept");
            }
            RealDisk disk = new RealDisk(fresh);
            LogKeys keys = LogKeys.generate(random);
            keys.write(disk);
            Body.Genesis genesis = genesis(old.view(), keys, nowMs);
            try (SegmentStore next = SegmentStore.open(disk, SEGMENT_BYTES)) {
                Registry made = Registry.create(next, Limits.DEFAULT, Optional::empty, checked(genesis), nowMs);
                first = made.view();
            }
            accepted = new Accepted(
                    genesis.origin(),
                    first.ledger().headHash(),
                    folder.resolveSibling(folder.getFileName() + ".before-" + nowMs));
        }
        Files.move(folder, accepted.kept(), StandardCopyOption.ATOMIC_MOVE);
        Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        new RealDisk(folder).syncFolder("..");
        if (witness.isPresent()) {
            outside(witness.get()).begin(first);
        }
        return accepted;
    }

    private static Body.Genesis genesis(View view, LogKeys keys, long nowMs) {
        String before = view.ledger().genesis().origin();
        int mark = before.indexOf(MARK);
        String origin = (mark < 0 ? before : before.substring(0, mark)) + MARK + Long.toString(nowMs, 36);
        SignerSet signers = view.ledger().signers();
        return new Body.Genesis(
                origin,
                keys.verifiers(origin),
                new SignerSet(
                        1,
                        signers.m(),
                        signers.kPq(),
                        signers.minOrgs(),
                        signers.proposalTtlHours(),
                        signers.autoCommit(),
                        signers.thresholds(),
                        signers.signers()),
                live(view).stream()
                        .map(descriptor -> new Item(descriptor.id(), descriptor.content()))
                        .toList());
    }

    /** As a reader of the log would read it: a genesis has the same limits as any change. */
    private static ChangeSet checked(Body.Genesis genesis) throws Refused {
        return ChangeSet.fromJson(
                StrictJson.HASHED.read(ChangeSet.of(genesis).bytes(), "genesis of the new log"),
                "genesis of the new log");
    }
}
