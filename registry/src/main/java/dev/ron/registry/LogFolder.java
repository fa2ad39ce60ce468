package dev.ron.registry;

import dev.ron.kernel.time.Clock;
import dev.ron.ledger.Refused;
import dev.ron.registry.book.Limits;
import dev.ron.registry.book.Registry;
import dev.ron.registry.book.Savepoint;
import dev.ron.registry.commit.Counter;
import dev.ron.registry.demo.DemoLog;
import dev.ron.registry.disk.Disk;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.SegmentStore;
import dev.ron.registry.store.Store;
import dev.ron.registry.store.StoreFault;
import dev.ron.registry.task.Pruner;
import dev.ron.registry.task.Retention;
import dev.ron.registry.tlog.Archive;
import dev.ron.registry.tlog.LogKeys;
import dev.ron.registry.tlog.Witness;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the registry, opened and found in order.
 *
 * <pre>
 * LOCK                held while a process has the log
 * log/seg-*.rgl       the log
 * HEAD                how far it had come
 * keys/               what it signs its checkpoints with
 * tlog/, checkpoints/, snapshots/
 * </pre>
 */
final class LogFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogFolder.class);

    private final Registry registry;
    private final LogKeys logKeys;
    private final Optional<Disk> disk;
    private final Optional<Archive> archive;
    private final List<Witness> witnesses;

    private LogFolder(Registry registry, LogKeys logKeys, Optional<Disk> disk, List<Witness> witnesses) {
        this.registry = registry;
        this.logKeys = logKeys;
        this.disk = disk;
        this.archive = disk.map(folder -> new Archive(folder, registry));
        this.witnesses = witnesses;
    }

    /** Gives a folder as the store sees it. */
    @FunctionalInterface
    interface Disks {
        Disk open(Path folder) throws IOException;
    }

    static LogFolder open(Setup setup, RegistryConfig config, Disks disks, Clock clock)
            throws IOException, Refused, NoLog {
        Limits limits = new Limits(
                config.limits().maxPendingProposals(),
                config.limits().maxPendingPerProposer(),
                config.limits().maxPendingBytes().count());
        if (setup.folder().isEmpty()) {
            return inMemory(setup, limits, clock);
        }
        Disk disk = disks.open(setup.folder().get());
        Store store = SegmentStore.open(disk, config.storage().segmentBytes().count());
        try {
            return onDisk(setup, config, disk, store, limits, clock);
        } catch (IOException | Refused | NoLog | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static LogFolder onDisk(
            Setup setup, RegistryConfig config, Disk disk, Store store, Limits limits, Clock clock)
            throws IOException, Refused, NoLog {
        Savepoint.Source snapshots = () -> Archive.newestSnapshot(disk);
        Optional<Registry> opened = Registry.open(store, limits, snapshots);
        List<Witness> witnesses = witnesses(setup, config, disk);
        if (opened.isEmpty()) {
            store.trouble().ifPresent(fault -> LOG.error("{}", fault.getMessage()));
            if (store.trouble().isPresent()) {
                throw store.trouble().get();
            }
            for (Witness witness : witnesses) {
                witness.mustHaveSeenNone();
            }
            if (!setup.demo()) {
                throw new NoLog(String.valueOf(disk));
            }
            LogKeys keys = LogKeys.generate(new SecureRandom());
            keys.write(disk);
            Registry made =
                    DemoLog.create(store, limits, snapshots, DemoLog.ORIGIN, keys, setup.demoKeys(), now(clock));
            return new LogFolder(made, keys, Optional.of(disk), witnesses);
        }
        Registry registry = opened.get();
        check(registry, disk, witnesses);
        return new LogFolder(registry, LogKeys.read(disk), Optional.of(disk), witnesses);
    }

    private static List<Witness> witnesses(Setup setup, RegistryConfig config, Disk disk) throws IOException {
        List<Witness> witnesses = new ArrayList<>();
        witnesses.add(new Witness(disk, "HEAD"));
        Optional<Path> outside = config.witnessPath().or(setup::witness);
        if (outside.isPresent()) {
            witnesses.add(Rollback.outside(outside.get().toAbsolutePath()));
        }
        return witnesses;
    }

    private static void check(Registry registry, Disk disk, List<Witness> witnesses) throws IOException {
        Store.Recovery recovery = registry.recovery();
        if (recovery.damage().isPresent()) {
            // Read-only up to the damage: a witness that is ahead is explained by it.
            LOG.error("read-only: {}", recovery.damage().get().getMessage());
            return;
        }
        try {
            for (Witness witness : witnesses) {
                witness.check(registry);
            }
            requireSigned(registry, disk);
        } catch (StoreFault fault) {
            throw fault.kind() == StoreFault.Kind.ROLLED_BACK && recovery.truncatedBytes() > 0 ? rotten(fault) : fault;
        }
        if (recovery.truncatedBytes() > 0) {
            LOG.warn("a crash left {} bytes unfinished; the next write cuts them off", recovery.truncatedBytes());
        }
    }

    // No crash takes back what a witness has seen: the last batch was whole, and is not any more.
    private static StoreFault rotten(StoreFault fault) {
        return new StoreFault(
                StoreFault.Kind.CORRUPT,
                "the end of the log is damaged: " + fault.getMessage()
                        + "; nothing was cut off, restore the file from a backup",
                fault);
    }

    /** Refuses a log that ends before a checkpoint that it has signed. */
    static void requireSigned(Registry registry, Disk disk) throws IOException {
        long signed = Archive.newestCheckpoint(disk);
        if (signed > registry.view().version()) {
            throw new StoreFault(
                    StoreFault.Kind.ROLLED_BACK,
                    "the log ends at version " + registry.view().version() + ", a checkpoint of version " + signed
                            + " was signed before");
        }
    }

    /** Under an origin of this boot: who forgets its history must not sign under the same name again. */
    private static LogFolder inMemory(Setup setup, Limits limits, Clock clock) throws IOException, Refused, NoLog {
        if (!setup.demo()) {
            throw new NoLog("memory");
        }
        LogKeys keys = LogKeys.generate(new SecureRandom());
        String origin = DemoLog.ORIGIN + "/amnesia/" + Long.toString(now(clock), 36);
        Registry made =
                DemoLog.create(new MemoryStore(), limits, Optional::empty, origin, keys, Optional.empty(), now(clock));
        return new LogFolder(made, keys, Optional.empty(), List.of());
    }

    private static long now(Clock clock) {
        return clock.now().toEpochMilli();
    }

    Registry registry() {
        return registry;
    }

    LogKeys logKeys() {
        return logKeys;
    }

    Optional<Disk> disk() {
        return disk;
    }

    Optional<Archive> archive() {
        return archive;
    }

    List<Witness> witnesses() {
        return witnesses;
    }

    /** Prunes where the log is in files; what is in RAM goes with the process. */
    Pruner.Pruning pruning(Supplier<RegistryConfig.Retention> policy, Counter ctl, Clock clock) {
        return registry.store() instanceof SegmentStore store
                ? new Retention(registry, store, policy, ctl, clock)::pruneOne
                : checkpoint -> false;
    }

    @Override
    public void close() throws IOException {
        logKeys.wipe();
        registry.store().close();
    }
}
