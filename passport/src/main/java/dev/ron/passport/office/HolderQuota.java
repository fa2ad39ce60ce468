package dev.ron.passport.office;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds what holders, and the clients of a tenant, can make the office remember: what it remembers is for all tenants.
 *
 * <p>Holders make branches offline and for free. Beyond a few branches of one root the root itself is revoked; beyond a
 * tenant's share the holder is refused. Nothing a holder does ever raises a floor. A tenant's clients have a quarter of a
 * table. Used by the writer only; counts start anew each day.
 */
final class HolderQuota {
    static final int BRANCHES_PER_ROOT = 16;
    static final int PER_TENANT = 4_096;
    static final int IDS_PER_TENANT = Revocations.MAX_IDS / 4;
    static final int SUBJECTS_PER_TENANT = Revocations.MAX_SUBJECTS / 4;

    private static final long PERIOD_SECONDS = 24 * 3600;

    private final Map<String, Integer> byRoot = new HashMap<>();
    private final Map<String, Integer> byTenant = new HashMap<>();
    private final Map<String, Integer> idsByClients = new HashMap<>();
    private final Map<String, Integer> subjectsByClients = new HashMap<>();
    private long since;

    /** What to revoke for this holder. */
    Revocation.Id take(Command.Revoke command, long now) {
        beginDay(now);
        Revocation.Id root = command.heldRoot().orElseThrow();
        int used = byTenant.getOrDefault(command.tenant(), 0);
        if (used >= PER_TENANT) {
            throw new RonException(
                    Code.QUOTA_EXHAUSTED,
                    "quota_exhausted",
                    "holders of this tenant revoked " + PER_TENANT + " tokens today",
                    Duration.ofSeconds(since + PERIOD_SECONDS - now),
                    null);
        }
        byTenant.put(command.tenant(), used + 1);
        boolean collapse = byRoot.merge(root.id(), 1, Integer::sum) > BRANCHES_PER_ROOT;
        return collapse || !(command.what() instanceof Revocation.Id branch) ? root : branch;
    }

    /** Counts one more place for a tenant's clients; false if they have had their share. */
    boolean takeShare(Command.Revoke command, long now) {
        beginDay(now);
        return command.what() instanceof Revocation.Subject
                ? subjectsByClients.merge(command.tenant(), 1, Integer::sum) <= SUBJECTS_PER_TENANT
                : idsByClients.merge(command.tenant(), 1, Integer::sum) <= IDS_PER_TENANT;
    }

    private void beginDay(long now) {
        if (now - since >= PERIOD_SECONDS) {
            byRoot.clear();
            byTenant.clear();
            idsByClients.clear();
            subjectsByClients.clear();
            since = now;
        }
    }
}
