package dev.ron.token.keys;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything an issuer has revoked, as of one moment; immutable, replaced whole.
 *
 * <p>Bounded: beyond its caps it refuses to grow instead of forgetting. A verifier then keeps its old state, which goes
 * stale and denies; an issuer looks at {@link #idCount()} first and revokes something coarser.
 */
public final class Revocations {
    public static final int MAX_IDS = 65_536;
    public static final int MAX_SUBJECTS = 16_384;
    public static final int MAX_TENANT_FLOORS = 16_384;
    public static final int MAX_KEYS = 1_024;

    /** How far the clocks of an issuer and a verifier may differ. */
    static final long CLOCK_SKEW_SECONDS = 60;

    private record SubjectId(String tenant, String sub) {}

    private final long asOf;
    private final long heardAt;
    private final Map<String, Revocation.Id> ids;
    private final Map<SubjectId, Revocation.Subject> subjects;
    private final Set<String> keys;
    private final long floor;
    private final Map<String, Long> tenantFloors;

    private Revocations(
            long asOf,
            long heardAt,
            Map<String, Revocation.Id> ids,
            Map<SubjectId, Revocation.Subject> subjects,
            Set<String> keys,
            long floor,
            Map<String, Long> tenantFloors) {
        this.asOf = asOf;
        this.heardAt = heardAt;
        this.ids = ids;
        this.subjects = subjects;
        this.keys = keys;
        this.floor = floor;
        this.tenantFloors = tenantFloors;
    }

    public static Revocations none(long asOf) {
        return new Revocations(asOf, asOf, Map.of(), Map.of(), Set.of(), 0, Map.of());
    }

    /**
     * Adds entries and moves {@code asOf} forward. What a later entry says never weakens an earlier one: floors,
     * watermarks and keep-until times only grow.
     */
    public Revocations with(List<Revocation> entries, long asOf) throws Refused {
        long moment = Math.max(asOf, this.asOf);
        Map<String, Revocation.Id> newIds = new HashMap<>(ids);
        Map<SubjectId, Revocation.Subject> newSubjects = new HashMap<>(subjects);
        newIds.values().removeIf(entry -> entry.keepUntil() < moment);
        newSubjects.values().removeIf(entry -> entry.keepUntil() < moment);
        Set<String> newKeys = new HashSet<>(keys);
        Map<String, Long> newFloors = new HashMap<>(tenantFloors);
        long newFloor = floor;
        for (Revocation entry : entries) {
            switch (entry) {
                case Revocation.Id id -> newIds.merge(id.id(), id, (a, b) -> a.exp() >= b.exp() ? a : b);
                case Revocation.Subject subject ->
                    newSubjects.merge(
                            new SubjectId(subject.tenant(), subject.sub()),
                            subject,
                            (a, b) -> a.at() >= b.at() ? a : b);
                case Revocation.Key(String kid) -> newKeys.add(kid);
                case Revocation.Floor(long epoch) -> newFloor = Math.max(newFloor, epoch);
                case Revocation.TenantFloor(String tenant, long epoch) -> newFloors.merge(tenant, epoch, Math::max);
            }
        }
        requireAtMost(newIds.size(), MAX_IDS, "token ids");
        requireAtMost(newSubjects.size(), MAX_SUBJECTS, "subjects");
        requireAtMost(newFloors.size(), MAX_TENANT_FLOORS, "tenant floors");
        requireAtMost(newKeys.size(), MAX_KEYS, "keys");
        return new Revocations(moment, moment, newIds, newSubjects, newKeys, newFloor, newFloors);
    }

    private static void requireAtMost(int size, int max, String what) throws Refused {
        if (size > max) {
            throw new Refused(Reason.TOO_LARGE, size + " revoked " + what + " (at most " + max + ")");
        }
    }

    /** Everything that is revoked, as entries that give this state again. */
    public List<Revocation> entries() {
        List<Revocation> all = new ArrayList<>(ids.size() + subjects.size() + keys.size() + tenantFloors.size() + 1);
        if (floor > 0) {
            all.add(new Revocation.Floor(floor));
        }
        tenantFloors.forEach((tenant, epoch) -> all.add(new Revocation.TenantFloor(tenant, epoch)));
        keys.forEach(kid -> all.add(new Revocation.Key(kid)));
        all.addAll(subjects.values());
        all.addAll(ids.values());
        return all;
    }

    /**
     * The same, heard at this second of the verifier's own clock. Two clocks may differ by as much as is forgiven
     * elsewhere: so much the own one is believed, and no more, for what is old may also be a replay.
     */
    Revocations heardAt(long second) {
        long lead = Math.min(second - asOf, CLOCK_SKEW_SECONDS);
        return new Revocations(asOf, asOf + lead, ids, subjects, keys, floor, tenantFloors);
    }

    /** The moment the issuer signed this state, by its clock. */
    public long asOf() {
        return asOf;
    }

    /**
     * How old this is for a verifier whose clock shows that second. A clock that was set back leaves a state of the
     * future; it is as far from now as an old one, and believed as little.
     */
    public long age(long now) {
        return Math.abs(now - heardAt);
    }

    public int idCount() {
        return ids.size();
    }

    public int subjectCount() {
        return subjects.size();
    }

    public int keyCount() {
        return keys.size();
    }

    public int tenantFloorCount() {
        return tenantFloors.size();
    }

    /** Whether there is an entry about the same thing, so that another one takes no place of its own. */
    public boolean lists(Revocation what) {
        return switch (what) {
            case Revocation.Id id -> ids.containsKey(id.id());
            case Revocation.Subject subject -> subjects.containsKey(new SubjectId(subject.tenant(), subject.sub()));
            case Revocation.Key key -> keys.contains(key.kid());
            case Revocation.TenantFloor raised -> tenantFloors.containsKey(raised.tenant());
            case Revocation.Floor _ -> true;
        };
    }

    public boolean isRevoked(String tokenOrBlockId) {
        return !ids.isEmpty() && ids.containsKey(tokenOrBlockId);
    }

    public boolean isKeyRevoked(String kid) {
        return !keys.isEmpty() && keys.contains(kid);
    }

    /**
     * True if the subject was revoked at or after the token's issue. The skew is added because the clock that stamped
     * the token may run ahead of the clock that stamped the revocation.
     */
    public boolean isSubjectRevoked(String tenant, String sub, long iat, long skewSeconds) {
        if (subjects.isEmpty()) {
            return false;
        }
        Revocation.@Nullable Subject subject = subjects.get(new SubjectId(tenant, sub));
        return subject != null && iat <= subject.at() + skewSeconds;
    }

    /** The lowest epoch still good for a tenant: the highest of all floors, never one in place of another. */
    public long floor(String tenant) {
        return Math.max(floor, tenantFloors.getOrDefault(tenant, 0L));
    }

    public long globalFloor() {
        return floor;
    }
}
