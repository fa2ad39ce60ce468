package dev.ron.ledger.note;

import dev.ron.ledger.sign.Ed25519SigningKey;
import java.nio.charset.StandardCharsets;

/** Signs notes under a name; a log's identity key or its freshness key, never a governance key. */
public final class NoteSigner {
    private final NoteKey key;
    private final Ed25519SigningKey secret;

    public NoteSigner(String name, NoteKey.Type type, Ed25519SigningKey secret) {
        this.key = new NoteKey(name, type, secret.verifyKey());
        this.secret = secret;
    }

    public NoteKey key() {
        return key;
    }

    /** A cosignature says when: {@code seconds} is ignored by a plain note key. */
    public NoteSignature sign(String text, long seconds) {
        return switch (key.type()) {
            case NOTE -> NoteSignature.of(key, secret.sign(text.getBytes(StandardCharsets.UTF_8)));
            case TIMESTAMPED -> NoteSignature.of(key, seconds, secret.sign(NoteSignature.timestamped(text, seconds)));
        };
    }
}
