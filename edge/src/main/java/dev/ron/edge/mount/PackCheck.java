package dev.ron.edge.mount;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.pack.PackSurvey;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through mounted packs in the background: every address first, then the digest of the whole.
 *
 * <p>Tiles are served meanwhile. A directory that breaks a rule of the format takes the pack out, with that cause. One
 * digest is made at a time, step by step, each step a job of its own: so a new pack waits for one step and not for the
 * digest of a large one. After a step it rests for a multiple of the time the step took: a small share of one core, and
 * less on a machine that is busy.
 */
public final class PackCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PackCheck.class);
    private static final int STEP = 256 << 10;
    private static final int RESTS = 31; // times what a step took: a thirty-second of a core
    private static final Duration LONGEST_REST = Duration.ofMillis(250);
    private static final Duration LONGEST_LOOK = Duration.ofHours(1); // hundreds of millions of rows, on a slow disk

    private final Mounts mounts;
    private final Lane lane;
    private final Depth depth;
    private final Meter.Timing took;
    private final Clock clock;
    private final BooleanSupplier stop;
    private final Map<String, Facts> facts = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();
    private final Waiters rest = new Waiters();
    private final AtomicBoolean stepQueued = new AtomicBoolean();
    private volatile @Nullable Hashing hashing; // written by the one thread of the lane

    /** How far the look goes. */
    public enum Depth {
        /** Not beyond what the mount has read. */
        HEADER,
        /** Every address, then the digest at a low pace. */
        DIRECTORY,
        /** Every address, then the digest as fast as it goes. */
        FULL
    }

    /** What is known of a mounted pack beyond its header. */
    public record Facts(long generation, Optional<String> digest, boolean checked, long tiles) {}

    /** A digest in the making. */
    private final class Hashing {
        private final String name;
        private final SharedPack pack;
        private final Facts known;
        private final Blake3 hash = new Blake3();
        private final ByteBuffer piece;
        private long at;

        Hashing(String name, SharedPack pack, Facts known) {
            this.name = name;
            this.pack = pack;
            this.known = known;
            this.piece = ByteBuffer.allocate(Math.clamp(pack.size(), 1, STEP));
        }

        /** One step; false once it is done. */
        boolean step(Lease lease) {
            long began = clock.nanos();
            PackFile file = lease.pack().file();
            piece.clear().limit((int) Math.min(piece.capacity(), file.size() - at));
            file.read(at, piece);
            hash.update(piece.flip());
            at += piece.limit();
            if (at == file.size()) {
                note(
                        name,
                        new Facts(known.generation(), Optional.of(hash.finish().hex()), true, known.tiles()));
                return false;
            }
            if (depth != Depth.FULL) {
                rest(Duration.ofNanos(RESTS * (clock.nanos() - began)));
            }
            return true;
        }
    }

    /** Something done with a pack under a lease; what it returns is passed on. */
    @FunctionalInterface
    private interface Look {
        boolean at(Lease lease);
    }

    public PackCheck(Mounts mounts, Lane lane, Depth depth, Meter.Timing took, Clock clock, BooleanSupplier stop) {
        this.mounts = mounts;
        this.lane = lane;
        this.depth = depth;
        this.took = took;
        this.clock = clock;
        this.stop = stop;
    }

    /** What was found about the pack that is mounted under this name. */
    public Optional<Facts> facts(String name) {
        Facts found = facts.get(name);
        SharedPack current = mounts.current(name);
        return found != null && current != null && found.generation() == current.generation()
                ? Optional.of(found)
                : Optional.empty();
    }

    /** Another number after each finding; it moves when the finding can be seen. */
    public long version() {
        return version.get();
    }

    private void note(String name, Facts found) {
        facts.put(name, found);
        version.incrementAndGet();
    }

    /** Has every pack looked at that was not yet; where the queue is full, the next call goes on. */
    public void schedule() {
        facts.keySet().removeIf(name -> mounts.current(name) == null);
        for (String name : mounts.names()) {
            SharedPack pack = mounts.current(name);
            if (pack != null && facts(name).isEmpty()) {
                note(name, new Facts(pack.generation(), Optional.empty(), false, 0));
                if (depth != Depth.HEADER) {
                    survey(name, pack);
                }
            }
        }
        hashOn();
    }

    private void survey(String name, SharedPack pack) {
        lane.submit(() -> under(name, pack, lease -> survey(name, pack, lease))).whenAnswered(outcome -> {
            if (outcome instanceof Reply.Failed<Boolean>) {
                facts.remove(name); // the next call begins anew
                version.incrementAndGet();
            }
            hashOn();
        });
    }

    private boolean survey(String name, SharedPack pack, Lease lease) {
        Deadline bound = Deadline.after(clock, LONGEST_LOOK);
        BooleanSupplier gone = () -> !pack.equals(mounts.current(name));
        long began = clock.nanos();
        PackSurvey survey = lease.pack().survey(() -> stop.getAsBoolean() || gone.getAsBoolean() || bound.expired());
        took.record(clock.nanos() - began);
        if (gone.getAsBoolean()) {
            return false; // what is noted now is of its successor
        }
        if (!survey.complete() && bound.expired()) {
            LOG.warn("pack {}: not all of it could be looked at within {}; it is served unchecked", name, LONGEST_LOOK);
        }
        survey.problems().forEach(problem -> LOG.warn("pack {}: {}", name, problem));
        note(name, new Facts(pack.generation(), Optional.empty(), survey.complete(), survey.tiles()));
        return true;
    }

    /** Does it unless the pack was replaced or the service stops; a pack that turns out to be bad is taken out. */
    private boolean under(String name, SharedPack pack, Look look) {
        Lease lease = stop.getAsBoolean() || !pack.equals(mounts.current(name))
                ? null
                : pack.lease().orElse(null);
        if (lease == null) {
            return false;
        }
        try (lease) {
            return look.at(lease);
        } catch (PackError e) {
            mounts.unmount(name, lease, e);
            return false;
        }
    }

    /** Has the next step of a digest made, if one is to be made and none is waiting. */
    private void hashOn() {
        if ((hashing != null || nextToHash().isPresent()) && stepQueued.compareAndSet(false, true)) {
            lane.submit(this::hashStep).whenAnswered(outcome -> {
                stepQueued.set(false);
                if (outcome instanceof Reply.Done<Boolean>(Boolean more) && more) {
                    hashOn();
                }
            });
        }
    }

    private boolean hashStep() {
        Hashing begun = hashing;
        Hashing now = begun == null ? nextToHash().orElse(null) : begun;
        boolean unfinished = now != null && under(now.name, now.pack, now::step);
        hashing = unfinished ? now : null;
        return !stop.getAsBoolean();
    }

    private Optional<Hashing> nextToHash() {
        for (String name : mounts.names()) {
            SharedPack pack = mounts.current(name);
            Facts known = facts(name).orElse(null);
            if (pack != null
                    && known != null
                    && known.checked()
                    && known.digest().isEmpty()) {
                return Optional.of(new Hashing(name, pack, known));
            }
        }
        return Optional.empty();
    }

    private void rest(Duration wanted) {
        Duration pause = wanted.compareTo(LONGEST_REST) < 0 ? wanted : LONGEST_REST;
        rest.await("digest", Deadline.after(clock, pause), () -> stop.getAsBoolean() ? Boolean.TRUE : null);
    }
}
