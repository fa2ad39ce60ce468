package dev.ron.token.pct;

import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.Signatures;
import java.nio.charset.StandardCharsets;

/** A text and its signature, as received: checked over exactly these characters, never over a re-serialised form. */
public final class SignedText {
    private final String text;
    private final byte[] signature;

    SignedText(String text, byte[] signature) {
        this.text = text;
        this.signature = signature;
    }

    public boolean isSignedBy(Ed25519Key key, Signatures signatures) {
        return signatures.verify(key, text.getBytes(StandardCharsets.US_ASCII), signature);
    }

    @Override
    public String toString() {
        return "SignedText[" + text.length() + " characters]";
    }
}
