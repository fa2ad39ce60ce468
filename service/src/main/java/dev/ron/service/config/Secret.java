package dev.ron.service.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value that must not be seen: it prints as {@code ***}, is not serializable, and is wiped when closed. */
public final class Secret implements AutoCloseable {
    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes a copy; the caller may wipe its own. */
    public static Secret of(byte[] bytes) {
        return new Secret(bytes.clone());
    }

    public static Secret of(String text) {
        return new Secret(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Lends the bytes to one piece of code, which must not keep them. */
    public <R> R use(Function<byte[], R> body) {
        return body.apply(bytes);
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** Compares in a time that does not depend on where the two differ. */
    public boolean matches(byte[] presented) {
        return MessageDigest.isEqual(bytes, presented);
    }

    @Override
    public void close() {
        Arrays.fill(bytes, (byte) 0);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret s && MessageDigest.isEqual(bytes, s.bytes);
    }

    /** One value for all: a hash of the content would be a piece of it. */
    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public String toString() {
        return "***";
    }
}
