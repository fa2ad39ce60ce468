package dev.ron.passport.kms;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.TokenKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** All keys of the office at one moment; immutable, every change gives a new ring. */
public record KeyRing(List<KmsKey> keys) {
    public static final KeyRing EMPTY = new KeyRing(List.of());

    // The calendar has at most two keys of a purpose under way beside those that were asked for.
    private static final int CALENDAR = 2 * Purpose.values().length;

    /** So many may be published, and so many kept at all, before more are asked for than can be read. */
    public static final int MAX_SHOWN = JwkSet.MAX_KEYS - CALENDAR;

    public static final int MAX_KEPT = KeyCodec.MAX_KEYS - CALENDAR;

    public KeyRing {
        keys = List.copyOf(keys);
    }

    /** The key that signs for a purpose now. */
    public KmsKey active(Purpose purpose) {
        return find(purpose, KeyStatus.ACTIVE)
                .orElseThrow(() ->
                        new RonException(Code.UNAVAILABLE, "kms_unavailable", "no active key for " + purpose.wire()));
    }

    public Optional<KmsKey> find(Purpose purpose, KeyStatus status) {
        return keys.stream()
                .filter(key -> key.purpose() == purpose && key.status() == status)
                .findFirst();
    }

    public Optional<KmsKey> find(String kid) {
        return keys.stream().filter(key -> key.kid().equals(kid)).findFirst();
    }

    /** What verifiers are told. */
    public List<TokenKey> published() {
        return keys.stream().map(KmsKey::published).toList();
    }

    /** How many of them verifiers are told to use. */
    public long shown() {
        return keys.stream().filter(key -> key.status().verifies()).count();
    }

    /** Gives each purpose without a key its first one, active at once: there is nobody yet who could not know it. */
    public KeyRing withFirst(List<Purpose> purposes, long now, SecureRandom random) {
        List<KmsKey> all = new ArrayList<>(keys);
        for (Purpose purpose : purposes) {
            if (find(purpose, KeyStatus.ACTIVE).isEmpty()) {
                all.add(KmsKey.generate(purpose, KeyStatus.ACTIVE, now, now, random));
            }
        }
        return new KeyRing(all);
    }

    /** Publishes a successor, to become active once every verifier has heard of it; nothing if one is published. */
    public KeyRing announced(Purpose purpose, long now, KeyTimes times, SecureRandom random) {
        if (find(purpose, KeyStatus.ANNOUNCED).isPresent()) {
            return this;
        }
        List<KmsKey> all = new ArrayList<>(keys);
        all.add(KmsKey.generate(purpose, KeyStatus.ANNOUNCED, now, now + times.ahead(), random));
        return new KeyRing(all);
    }

    /** The emergency form: a new key is active at once and the old ones of that purpose are revoked. */
    public KeyRing replacedNow(Purpose purpose, long now, SecureRandom random) {
        KeyRing without = each(key -> key.purpose() == purpose && key.status().verifies()
                ? key.ended(KeyStatus.REVOKED, now + KeyTimes.KEPT_AFTER_REVOCATION)
                : key);
        return without.withFirst(List.of(purpose), now, random);
    }

    /** Ends one key; where it was the active one, a new key takes its place at once. */
    public KeyRing revoked(String kid, long now, SecureRandom random) {
        Purpose purpose = find(kid)
                .orElseThrow(() -> new RonException(Code.NOT_FOUND, "no_such_key", "no key " + kid))
                .purpose();
        KeyRing without = each(key ->
                key.kid().equals(kid) ? key.ended(KeyStatus.REVOKED, now + KeyTimes.KEPT_AFTER_REVOCATION) : key);
        return without.withFirst(List.of(purpose), now, random);
    }

    /** Whatever the calendar asks for at this moment. */
    public KeyRing advanced(long now, KeyTimes times, SecureRandom random) {
        KeyRing next = this;
        for (KmsKey due : keys) {
            if (due.status() == KeyStatus.ANNOUNCED && now >= due.from()) {
                next = next.activated(due, now, times);
            }
        }
        next = next.each(key -> key.status() == KeyStatus.RETIRING && now >= key.until()
                ? key.ended(KeyStatus.RETIRED, now + KeyTimes.KEPT_AFTER_RETIREMENT)
                : key);
        next = new KeyRing(next.keys.stream()
                .filter(key ->
                        (key.status() != KeyStatus.RETIRED && key.status() != KeyStatus.REVOKED) || now < key.until())
                .toList());
        for (KmsKey key : next.keys) {
            if (key.status() == KeyStatus.ACTIVE && now >= key.from() + times.rotateEvery() - times.ahead()) {
                next = next.announced(key.purpose(), now, times, random);
            }
        }
        return next.keys.equals(keys) ? this : next;
    }

    private KeyRing activated(KmsKey successor, long now, KeyTimes times) {
        return each(key -> {
            if (key.kid().equals(successor.kid())) {
                return key.activeSince(now);
            }
            boolean replaced = key.purpose() == successor.purpose() && key.status() == KeyStatus.ACTIVE;
            return replaced ? key.ended(KeyStatus.RETIRING, now + times.retiring()) : key;
        });
    }

    /** The next second at which {@link #advanced} may change something. */
    public long nextChange(KeyTimes times) {
        return keys.stream()
                .mapToLong(key -> switch (key.status()) {
                    case ANNOUNCED -> key.from();
                    case ACTIVE ->
                        find(key.purpose(), KeyStatus.ANNOUNCED).isPresent()
                                ? Long.MAX_VALUE
                                : key.from() + times.rotateEvery() - times.ahead();
                    case RETIRING, RETIRED, REVOKED -> key.until();
                })
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private KeyRing each(UnaryOperator<KmsKey> change) {
        return new KeyRing(keys.stream().map(change).toList());
    }
}
