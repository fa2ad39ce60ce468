package dev.ron.edge.mount;

import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The packs by name. A request takes a lease and sees the old pack or the new one, never a mixture, never neither. */
public final class Mounts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mounts.class);

    private final Map<String, SharedPack> mounted = new ConcurrentHashMap<>();
    private final Map<String, PackError> faults = new ConcurrentHashMap<>();
    private final AtomicLong generations = new AtomicLong();
    private final AtomicLong version = new AtomicLong();

    /** The pack of that name at this moment; what it says can be read, what it holds only under a lease. */
    public @Nullable SharedPack current(String name) {
        return mounted.get(name);
    }

    public Optional<Lease> lease(String name) {
        while (true) {
            SharedPack shared = mounted.get(name);
            if (shared == null) {
                return Optional.empty();
            }
            Optional<Lease> lease = shared.lease();
            if (lease.isPresent()) {
                return lease;
            }
            // It was replaced between the two looks; its successor is in the map by now, because it is put there first.
        }
    }

    /** Mounts a pack, in place of the one of that name if there is one; from here on it is ours to close. */
    public void mount(String name, Pack pack) {
        SharedPack fresh = new SharedPack(pack, generations.incrementAndGet());
        replace(name, fresh);
    }

    public void unmount(String name) {
        replace(name, null);
    }

    // What is mounted and why it is not change in one step: a reader that meets damage and the task that follows the
    // folder
    // may be at the same name.

    private void replace(String name, @Nullable SharedPack fresh) {
        AtomicReference<@Nullable SharedPack> old = new AtomicReference<>();
        mounted.compute(name, (_, before) -> {
            old.set(before);
            faults.remove(name);
            return fresh;
        });
        version.incrementAndGet();
        SharedPack before = old.get();
        if (before != null) {
            before.release();
        }
    }

    /** Unmounts exactly this pack because it can no longer be trusted; a successor that is mounted already stays. */
    public void unmount(String name, Lease broken, PackError cause) {
        AtomicBoolean ours = new AtomicBoolean();
        mounted.computeIfPresent(name, (_, now) -> {
            if (!now.equals(broken.shared())) {
                return now;
            }
            ours.set(true);
            faults.put(name, cause);
            return null;
        });
        if (ours.get()) {
            version.incrementAndGet();
            broken.shared().release();
            LOG.error("pack {} is taken out: {}", name, cause.detail(), cause.getCause());
        }
    }

    /** Unmounts the pack if its file was written to since; for who met bytes that do not belong. */
    public void unmountIfOverwritten(String name, Lease lease, PackError cause) {
        try {
            lease.pack().file().checkStillOurs();
        } catch (PackError e) {
            unmount(name, lease, e);
        } catch (IOException _) {
            unmount(name, lease, cause);
        }
    }

    /** Notes that a file under this name could not be mounted; what is mounted stays. */
    public void failed(String name, PackError cause) {
        LOG.warn("pack {}: {}", name, cause.detail(), cause.getCause());
        faults.put(name, cause);
        version.incrementAndGet();
    }

    /** Why a name has no pack, or why its newer file was not taken. */
    public Optional<PackError> fault(String name) {
        return Optional.ofNullable(faults.get(name));
    }

    /** All faults by name, for readiness and status. */
    public Map<String, PackError> faults() {
        return new TreeMap<>(faults);
    }

    /** The numbers of what is mounted. */
    public Set<Long> generations() {
        return mounted.values().stream().map(SharedPack::generation).collect(Collectors.toSet());
    }

    /** Another number after each change of what is mounted or why it is not; it moves when the change can be seen. */
    public long version() {
        return version.get();
    }

    /** The names of what is mounted, sorted. */
    public List<String> names() {
        return mounted.keySet().stream().sorted().toList();
    }

    @Override
    public void close() {
        names().forEach(this::unmount);
    }
}
