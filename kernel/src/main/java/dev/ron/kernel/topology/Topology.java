package dev.ron.kernel.topology;

import dev.ron.kernel.topology.TaskSpec.Criticality;
import dev.ron.kernel.topology.TaskSpec.Restart;
import dev.ron.kernel.topology.TaskSpec.Runner;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Every queue, lock, task and pool of one service, declared once.
 *
 * <p>The live parts are made from it by {@link dev.ron.kernel.Kernel}, and its document by {@link #markdown()}; a golden
 * test fails when the two differ.
 */
public record Topology(String service, String about, List<Part> parts) {

    public Topology {
        parts = List.copyOf(parts);
        Set<String> seen = new HashSet<>();
        for (Part part : parts) {
            if (!seen.add(part.getClass().getSimpleName() + ":" + part.name())) {
                throw new IllegalArgumentException(service + ": " + part.name() + " is declared twice");
            }
        }
        for (Part part : parts) {
            requireSameStage(service, parts, part);
        }
    }

    // A box that closed before its receiver is asked to end would end it, and one that closed later would keep it
    // waiting.
    private static void requireSameStage(String service, List<Part> parts, Part part) {
        if (part instanceof MailboxSpec box) {
            for (Part other : parts) {
                if (other instanceof TaskSpec task && task.name().equals(box.to()) && task.stage() != box.stage()) {
                    throw new IllegalArgumentException(service + ": queue " + box.name() + " closes in " + box.stage()
                            + ", its receiver " + task.name() + " stops in " + task.stage()
                            + " (expected: the same stage)");
                }
            }
        }
    }

    public static Topology of(String service, String about, Part... parts) {
        return new Topology(service, about, List.of(parts));
    }

    public <P extends Part> List<P> all(Class<P> kind) {
        return parts.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The locks in the order in which they may be taken. */
    public List<LockSpec> locks() {
        return all(LockSpec.class).stream()
                .sorted(Comparator.comparingInt(LockSpec::rank))
                .toList();
    }

    public boolean declares(Part part) {
        return parts.contains(part);
    }

    public String markdown() {
        return new TopologyDocument(this).markdown();
    }

    public static MailboxSpec mailbox(String name, int capacity) {
        return new MailboxSpec(name, capacity, "?", "?", OnFull.REJECT_NEW, OnDrain.HAND_BACK, Stage.WORK);
    }

    /** A queue that the service keeps itself. */
    public static QueueSpec queue(String name, int capacity) {
        return new QueueSpec(name, capacity, "?", "?", "?");
    }

    public static BroadcastSpec broadcast(String name, int capacity) {
        return new BroadcastSpec(name, capacity, "?", "?");
    }

    public static WatchSpec watch(String name) {
        return new WatchSpec(name, "?", "?");
    }

    public static LockSpec lock(String name, int rank) {
        return new LockSpec(name, rank, "?");
    }

    public static LaneSpec lane(String name, int threads, int capacity) {
        return new LaneSpec(name, threads, capacity, Stage.WATCHERS);
    }

    public static PermitsSpec permits(String name, int limit) {
        return new PermitsSpec(name, limit, "?");
    }

    public static TaskSpec task(String name) {
        return new TaskSpec(name, Criticality.MEDIUM, Restart.ON_FAILURE, Runner.VIRTUAL, Stage.WORK, "1", "");
    }
}
