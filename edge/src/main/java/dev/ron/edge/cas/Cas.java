package dev.ron.edge.cas;

import dev.ron.edge.digest.Digest;
import java.util.Optional;

/**
 * Blobs under the digest of their bytes, at most so many bytes of them; when room is needed, those go first that were
 * not used for longest.
 *
 * <p>Any thread may open and stage. Only the one committer commits ({@link CasCommitter}), so that the bound is kept
 * without a lock. All calls but {@link #touch} and {@link #isUnread} may go to the disk: never on an event loop.
 */
public interface Cas extends AutoCloseable {

    /** A blob whose bytes are known to have this digest; one that was found damaged is gone and reads as missing. */
    Optional<Blob> open(Digest digest);

    /** Whether there is a blob of this digest; nothing is said of its bytes. */
    boolean holds(Digest digest);

    /** Whether its bytes have to be read, many of them, before they can be vouched for; any thread. */
    boolean isUnread(Digest digest);

    /** Says that a blob was used, by whoever has its bytes already. */
    void touch(Digest digest);

    /** Starts collecting a new object of at most {@code maxBytes}. */
    Staged stage(long maxBytes);

    /** Makes a staged object visible under its digest; for the committer only. */
    Committed commit(Staged staged);

    CasStats stats();

    @Override
    void close();
}
