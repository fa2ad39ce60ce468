package dev.ron.edge.mount;

import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The packs by name. A request takes a lease and sees the old pack or the new one, never a mixture, never neither. */
public final class Mounts implements AutoCloseable {
    private final Map<String, SharedPack> mounted = new ConcurrentHashMap<>();
    private final Map<String, PackError> faults = new ConcurrentHashMap<>();

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
        SharedPack old = mounted.put(name, new SharedPack(pack));
        faults.remove(name);
        if (old != null) {
            old.release();
        }
    }

    public void unmount(String name) {
        SharedPack old = mounted.remove(name);
        faults.remove(name);
        if (old != null) {
            old.release();
        }
    }

    /** Unmounts exactly this pack because it can no longer be trusted; a successor that is mounted already stays. */
    public void unmount(String name, Lease broken, PackError cause) {
        if (mounted.remove(name, broken.shared())) {
            faults.put(name, cause);
            broken.shared().release();
        }
    }

    /** Notes that a file under this name could not be mounted; what is mounted stays. */
    public void failed(String name, PackError cause) {
        faults.put(name, cause);
    }

    /** Why a name has no pack, or why its newer file was not taken. */
    public Optional<PackError> fault(String name) {
        return Optional.ofNullable(faults.get(name));
    }

    /** All faults by name, for readiness and status. */
    public Map<String, PackError> faults() {
        return new TreeMap<>(faults);
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
