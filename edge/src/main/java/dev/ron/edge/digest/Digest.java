package dev.ron.edge.digest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Optional;

/** A BLAKE3 digest of 32 bytes, held as four longs so that it is a value and a cheap map key. */
public record Digest(long a, long b, long c, long d) {
    public static final int BYTES = 32;
    public static final int HEX_CHARS = 64;

    private static final HexFormat HEX = HexFormat.of();
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    public static Digest of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("digest of " + bytes.length + " bytes (expected: " + BYTES + ")");
        }
        return new Digest((long) LONG.get(bytes, 0), (long) LONG.get(bytes, 8), (long) LONG.get(bytes, 16), (long)
                LONG.get(bytes, 24));
    }

    /** Reads 64 lower-case hexadecimal digits and nothing else, so that a digest has exactly one spelling. */
    public static Optional<Digest> parse(String hex) {
        if (hex.length() != HEX_CHARS) {
            return Optional.empty();
        }
        for (int i = 0; i < HEX_CHARS; i++) {
            char ch = hex.charAt(i);
            if (!(ch >= '0' && ch <= '9') && !(ch >= 'a' && ch <= 'f')) {
                return Optional.empty();
            }
        }
        return Optional.of(of(HEX.parseHex(hex)));
    }

    public String hex() {
        return HEX.toHexDigits(a) + HEX.toHexDigits(b) + HEX.toHexDigits(c) + HEX.toHexDigits(d);
    }

    @Override
    public String toString() {
        return "b3:" + hex();
    }
}
