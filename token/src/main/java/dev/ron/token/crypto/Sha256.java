package dev.ron.token.crypto;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 from the JDK, and the constant-time comparison that goes with it. */
public final class Sha256 {
    /** Never updated, so that any thread may copy it. */
    private static final MessageDigest UNUSED = lookUp();

    private Sha256() {}

    public static byte[] of(byte[]... parts) {
        MessageDigest digest = start();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    public static byte[] ofAscii(String text) {
        return start().digest(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Looking a digest up by name costs more than hashing a key: it is looked up once, and a copy begins each hash. */
    static MessageDigest start() {
        return copy(UNUSED);
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
        }
    }

    private static MessageDigest lookUp() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** The hash of a text that grows: what was there before is not hashed again. */
    public static final class Growing {
        private final MessageDigest digest = start();

        /** Adds to the text, and gives the hash of all of it. */
        public byte[] plusAscii(String more) {
            digest.update(more.getBytes(StandardCharsets.ISO_8859_1));
            return copy(digest).digest();
        }
    }

    /** Compares without telling by its duration where the difference is. */
    public static boolean same(byte[] a, byte[] b) {
        return MessageDigest.isEqual(a, b);
    }

    public static boolean same(String a, String b) {
        return same(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
