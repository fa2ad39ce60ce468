package dev.ron.edge.mount;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFile;
import dev.ron.edge.pack.pmtiles.PmtilesPack;
import dev.ron.edge.pack.pmtiles.WalkReport;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.task.Lane;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through mounted packs in the background: every directory, and the digest of the whole if that is wanted.
 *
 * <p>Tiles are served meanwhile. A directory that breaks a rule of the format takes the pack out, with that cause.
 */
public final class PackCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PackCheck.class);
    private static final int STEP = 1 << 20;

    private final Mounts mounts;
    private final Lane lane;
    private final boolean directories;
    private final boolean digest;
    private final BooleanSupplier stop;
    private final Map<String, Facts> facts = new ConcurrentHashMap<>();

    /** What is known of a mounted pack beyond its header. */
    public record Facts(long generation, Optional<String> digest, boolean checked, long tiles) {}

    public PackCheck(Mounts mounts, Lane lane, boolean directories, boolean digest, BooleanSupplier stop) {
        this.mounts = mounts;
        this.lane = lane;
        this.directories = directories;
        this.digest = digest;
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

    /** Has every pack looked at that was not yet; where the queue is full, the next call goes on. */
    public void schedule() {
        facts.keySet().removeIf(name -> mounts.current(name) == null);
        for (String name : mounts.names()) {
            SharedPack pack = mounts.current(name);
            if (pack == null || facts(name).isPresent()) {
                continue;
            }
            facts.put(name, new Facts(pack.generation(), Optional.empty(), false, 0));
            Reply<Boolean> reply = lane.submit(() -> check(name, pack));
            reply.whenAnswered(outcome -> {
                if (outcome instanceof Reply.Failed<Boolean>) {
                    facts.remove(name);
                }
            });
        }
    }

    private boolean check(String name, SharedPack shared) {
        Lease lease = shared.lease().orElse(null);
        if (lease == null) {
            return false;
        }
        try (lease) {
            long tiles = directories ? walk(name, lease.pack()) : 0;
            Facts checked = new Facts(shared.generation(), Optional.empty(), directories, tiles);
            facts.put(name, checked);
            if (digest) {
                Optional<String> hex = digestOf(lease.pack().file());
                facts.put(name, new Facts(shared.generation(), hex, directories, tiles));
            }
            return true;
        } catch (PackError e) {
            LOG.error("pack {} is taken out: {}", name, e.detail());
            mounts.unmount(name, lease, e);
            return false;
        }
    }

    private long walk(String name, Pack pack) {
        if (!(pack instanceof PmtilesPack archive)) {
            return 0;
        }
        WalkReport report = archive.walk(stop);
        report.problems().forEach(problem -> LOG.warn("pack {}: {}", name, problem));
        return report.addressedTiles();
    }

    private Optional<String> digestOf(PackFile file) {
        Blake3 hash = new Blake3();
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(STEP, Math.max(1, file.size())));
        for (long at = 0; at < file.size(); at += piece.limit()) {
            if (stop.getAsBoolean()) {
                return Optional.empty();
            }
            piece.clear().limit((int) Math.min(piece.capacity(), file.size() - at));
            file.read(at, piece);
            hash.update(piece.flip());
        }
        return Optional.of(hash.finish().hex());
    }
}
