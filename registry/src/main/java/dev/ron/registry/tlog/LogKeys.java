package dev.ron.registry.tlog;

import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.NoteSigner;
import dev.ron.ledger.sign.Ed25519SigningKey;
import dev.ron.registry.disk.Disk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;

/** The keys a log signs its checkpoints with: who it is, and when it was seen; they approve nothing. */
public record LogKeys(Ed25519SigningKey identity, Ed25519SigningKey freshness) {
    private static final String IDENTITY = "keys/log.key";
    private static final String FRESHNESS = "keys/freshness.key";

    public static LogKeys generate(SecureRandom random) {
        return new LogKeys(Ed25519SigningKey.generate(random), Ed25519SigningKey.generate(random));
    }

    /** The keys of a folder. */
    public static LogKeys read(Disk disk) throws IOException {
        return new LogKeys(readKey(disk, IDENTITY), readKey(disk, FRESHNESS));
    }

    public void write(Disk disk) throws IOException {
        writeKey(disk, IDENTITY, identity);
        writeKey(disk, FRESHNESS, freshness);
    }

    /** Overwrites both; the log signs nothing from here on. */
    public void wipe() {
        identity.wipe();
        freshness.wipe();
    }

    private static Ed25519SigningKey readKey(Disk disk, String name) throws IOException {
        if (!disk.exists(name)) {
            throw new IOException(name + " is missing: without it the log cannot sign for itself");
        }
        String text = new String(disk.readAll(name), StandardCharsets.US_ASCII).strip();
        try {
            return Ed25519SigningKey.ofSeed(StrictBase64.decode(text, name));
        } catch (dev.ron.ledger.Refused | IllegalArgumentException e) {
            throw new IOException(name + " does not hold a key", e);
        }
    }

    private static void writeKey(Disk disk, String name, Ed25519SigningKey key) throws IOException {
        disk.replace(name, (StrictBase64.encode(key.seed()) + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    public NoteSigner identity(String origin) {
        return new NoteSigner(origin, NoteKey.Type.NOTE, identity);
    }

    public NoteSigner freshness(String origin) {
        return new NoteSigner(origin, NoteKey.Type.TIMESTAMPED, freshness);
    }

    /** What a genesis names. */
    public List<NoteKey> verifiers(String origin) {
        return List.of(identity(origin).key(), freshness(origin).key());
    }
}
