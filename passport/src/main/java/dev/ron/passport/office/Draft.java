package dev.ron.passport.office;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.client.Client;
import dev.ron.passport.kms.KeyRing;
import dev.ron.passport.kms.KeyTimes;
import dev.ron.passport.kms.KmsKey;
import dev.ron.token.Refused;
import dev.ron.token.keys.FeedEntry;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A batch of commands on its way to the journal: what the state will be and which entries say so. */
final class Draft {
    private static final int MAX_DUE = 64;
    // Half of what can be read: an emergency that needs one more always has it.
    private static final long MAX_EPOCH = 1L << 52;

    private final long now;
    private final KeyTimes times;
    private final SecureRandom random;
    private final HolderQuota quota;
    private Revocations before;
    private final List<JournalEntry> entries = new ArrayList<>();
    private final List<FeedEntry> revoked = new ArrayList<>();
    private final List<JournalEntry.FloorDue> due;
    private final Map<String, Client> clients;
    private final KeyRing firstRing;
    private KeyRing ring;
    private long epoch;
    private long seq;
    private boolean escalated;

    private record Mark(int entries, int revoked, int due, KeyRing ring, long epoch, long seq) {}

    Draft(OfficeState state, long now, KeyTimes times, SecureRandom random, HolderQuota quota) {
        this.now = now;
        this.times = times;
        this.random = random;
        this.quota = quota;
        this.before = state.revocations();
        this.due = new ArrayList<>(state.due());
        this.clients = new HashMap<>(state.clients());
        this.firstRing = state.ring();
        this.ring = state.ring();
        this.epoch = state.epoch();
        this.seq = state.seq();
    }

    /** Adds a command; a refusal leaves the draft as it was. Answers the keys it concerned. */
    List<String> add(Command command) {
        Mark mark = new Mark(entries.size(), revoked.size(), due.size(), ring, epoch, seq);
        try {
            return carryOut(command);
        } catch (RonException refused) {
            goBack(mark);
            throw refused;
        }
    }

    /** Notes what is to be journalled; what could not be read again would be acknowledged now and end the next start. */
    private void note(JournalEntry entry) {
        try {
            JournalEntry.parse(entry.bytes());
        } catch (Refused unreadable) {
            throw new RonException(Code.BAD_REQUEST, "bad_request", unreadable.detail());
        }
        entries.add(entry);
    }

    private void goBack(Mark mark) {
        entries.subList(mark.entries(), entries.size()).clear();
        revoked.subList(mark.revoked(), revoked.size()).clear();
        due.subList(mark.due(), due.size()).clear();
        ring = mark.ring();
        epoch = mark.epoch();
        seq = mark.seq();
    }

    private List<String> carryOut(Command command) {
        escalated = false;
        return switch (command) {
            case Command.Revoke revoke -> {
                revoke(revoke);
                yield List.of();
            }
            case Command.MoveEpoch(long to, boolean soft, String reason) -> {
                if (to > MAX_EPOCH) {
                    throw new RonException(
                            Code.BAD_REQUEST, "bad_request", "epoch " + to + " (at most " + MAX_EPOCH + ")");
                }
                moveEpoch(to, soft, reason);
                yield List.of();
            }
            case Command.RevokeKey(String kid, String reason) -> {
                ring = readable(ring.revoked(kid, now, random));
                revoke(new Revocation.Key(kid), reason);
                yield List.of(kid);
            }
            case Command.Rotate(Purpose purpose, boolean atOnce) -> atOnce ? replace(purpose) : announce(purpose);
            case Command.DropClient(String id) -> {
                requireNoGuest(id);
                if (!clients.values().removeIf(client -> client.id().equals(id))) {
                    throw new RonException(Code.NOT_FOUND, "no_such_client", "no client " + id);
                }
                note(new JournalEntry.ClientGone(id));
                yield List.of();
            }
            case Command.KeepClient(Client client) -> {
                requireNoGuest(client.id());
                note(new JournalEntry.ClientKept(client)); // first: it may be refused
                clients.values().removeIf(old -> old.id().equals(client.id()));
                clients.put(client.prefix(), client);
                yield List.of();
            }
        };
    }

    private static void requireNoGuest(String id) {
        if (id.equals(Client.GUEST)) {
            throw new RonException(
                    Code.CONFLICT, "client_reserved", "client " + id + " is this process itself, for its verifiers");
        }
    }

    private void revoke(Command.Revoke command) {
        if (command.heldRoot().isPresent()) {
            revoke(quota.take(command, now), command.reason());
        } else if (full(command.what()) || overdraws(command)) {
            // No entry is ever dropped to make room; who asked gets more than was asked for, and is told.
            epoch++;
            note(new JournalEntry.Epoch(epoch));
            // A floor of another tenant would not end it.
            Revocation instead = command.tenant().isEmpty()
                    ? new Revocation.Floor(epoch)
                    : new Revocation.TenantFloor(command.tenant(), epoch);
            revoke(instead, command.reason());
            escalated = true;
        } else {
            revoke(command.what(), command.reason());
        }
    }

    private boolean overdraws(Command.Revoke command) {
        return command.ofTenant() && !before.lists(command.what()) && !quota.takeShare(command, now);
    }

    private boolean full(Revocation what) {
        if (hasRoom(what)) {
            return false;
        }
        if (before.asOf() < now) {
            // What has run out is forgotten with the next commit only; until then it takes nobody's place.
            try {
                before = before.with(List.of(), now);
            } catch (Refused e) {
                throw new IllegalStateException("nothing was added: " + e.detail(), e);
            }
        }
        return !hasRoom(what);
    }

    private boolean hasRoom(Revocation what) {
        int room = switch (what) {
            case Revocation.Id _ -> Revocations.MAX_IDS - before.idCount();
            case Revocation.Subject _ -> Revocations.MAX_SUBJECTS - before.subjectCount();
            case Revocation.Key _ -> Revocations.MAX_KEYS - before.keyCount();
            case Revocation.TenantFloor _ -> Revocations.MAX_TENANT_FLOORS - before.tenantFloorCount();
            case Revocation.Floor _ -> Integer.MAX_VALUE;
        };
        if (room > revoked.size() || before.lists(what)) {
            return true;
        }
        Set<Object> more = new HashSet<>();
        revoked.stream()
                .map(FeedEntry::revocation)
                .filter(other -> other.getClass() == what.getClass() && !before.lists(other))
                .forEach(other -> more.add(named(other)));
        return room > more.size() || more.contains(named(what));
    }

    private static Object named(Revocation what) {
        return switch (what) {
            case Revocation.Id id -> id.id();
            case Revocation.Subject subject -> List.of(subject.tenant(), subject.sub());
            case Revocation.Key key -> key.kid();
            case Revocation.TenantFloor raised -> raised.tenant();
            case Revocation.Floor floor -> floor.epoch();
        };
    }

    private void revoke(Revocation what, String reason) {
        if (full(what)) {
            throw new RonException(
                    Code.QUOTA_EXHAUSTED, "quota_exhausted", "no room for more", Duration.ofMinutes(1), null);
        }
        seq++;
        FeedEntry entry = new FeedEntry(seq, what, reason);
        revoked.add(entry);
        note(new JournalEntry.Revoked(entry));
    }

    private void moveEpoch(long to, boolean soft, String reason) {
        if (to <= epoch) {
            throw new RonException(
                    Code.CONFLICT, "epoch_not_greater", "epoch " + to + " (expected: greater than " + epoch + ")");
        }
        if (soft && due.size() >= MAX_DUE) {
            throw new RonException(
                    Code.CONFLICT,
                    "too_many_epochs",
                    due.size() + " epochs are ending already (at most " + MAX_DUE + ")");
        }
        epoch = to;
        note(new JournalEntry.Epoch(epoch));
        if (soft) {
            JournalEntry.FloorDue later = new JournalEntry.FloorDue(epoch, now + times.grace());
            due.add(later);
            note(later);
        } else {
            revoke(new Revocation.Floor(epoch), reason);
        }
    }

    private List<String> announce(Purpose purpose) {
        ring = readable(ring.announced(purpose, now, times, random));
        return ring.find(purpose, KeyStatus.ANNOUNCED).map(KmsKey::kid).stream().toList();
    }

    /** Refuses keys beyond what verifiers, or the next start, would read; the calendar's own always have a place. */
    private KeyRing readable(KeyRing next) {
        if (next.keys().size() > Math.max(ring.keys().size(), KeyRing.MAX_KEPT)
                || next.shown() > Math.max(ring.shown(), KeyRing.MAX_SHOWN)) {
            throw new RonException(
                    Code.CONFLICT,
                    "too_many_keys",
                    next.shown() + " published keys and " + next.keys().size() + " in all (at most " + KeyRing.MAX_SHOWN
                            + " and " + KeyRing.MAX_KEPT + "): old ones go within two days");
        }
        return next;
    }

    private List<String> replace(Purpose purpose) {
        List<String> ended = ring.keys().stream()
                .filter(key -> key.purpose() == purpose && key.status().verifies())
                .map(KmsKey::kid)
                .toList();
        ring = readable(ring.replacedNow(purpose, now, random));
        // Without room for their names the floor below and the published states end them.
        ended.stream().map(Revocation.Key::new).filter(key -> !full(key)).forEach(key -> revoke(key, "rotation"));
        if (purpose != Purpose.FEED) {
            moveEpoch(epoch + 1, false, "rotation");
        }
        return List.of(ring.active(purpose).kid());
    }

    /** Whatever the calendar asks for now, of keys and of epochs, and first keys for purposes that have none. */
    void keepCalendar(List<Purpose> purposes) {
        due.stream()
                .filter(floor -> floor.at() <= now)
                .mapToLong(JournalEntry.FloorDue::epoch)
                .max()
                .ifPresent(floor -> revoke(new Revocation.Floor(floor), "rotation"));
        ring = ring.withFirst(purposes, now, random).advanced(now, times, random);
    }

    boolean keysChanged() {
        return !ring.equals(firstRing);
    }

    boolean changed() {
        return keysChanged() || !entries.isEmpty();
    }

    void keysSaved(long storeSeq) {
        entries.add(new JournalEntry.KeysSaved(storeSeq));
    }

    KeyRing ring() {
        return ring;
    }

    boolean escalated() {
        return escalated;
    }

    List<JournalEntry> entries() {
        return entries;
    }

    List<FeedEntry> revoked() {
        return revoked;
    }

    long seq() {
        return seq;
    }

    /** The state once the entries are safe. */
    OfficeState state(String issuer) {
        Revocations after;
        try {
            after = before.with(revoked.stream().map(FeedEntry::revocation).toList(), now);
        } catch (Refused full) {
            throw new IllegalStateException("a draft never holds more than fits: " + full.detail(), full);
        }
        return OfficeState.of(issuer, epoch, seq, after, due, ring, clients);
    }

    Optional<String> newKey() {
        return keysChanged() ? ring.find(Purpose.PCT, KeyStatus.ACTIVE).map(KmsKey::kid) : Optional.empty();
    }
}
