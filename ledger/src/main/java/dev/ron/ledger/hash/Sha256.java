package dev.ron.ledger.hash;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 from the JDK, for what RFC 6962 and C2SP prescribe it. */
public final class Sha256 {
    private static final MessageDigest FRESH = first();

    private Sha256() {}

    public static byte[] of(byte[]... parts) {
        MessageDigest digest = start();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    public static MessageDigest start() {
        try {
            // A copy of one that nobody feeds: asking the providers each time costs as much as a short hash.
            return (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
        }
    }

    private static MessageDigest first() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
