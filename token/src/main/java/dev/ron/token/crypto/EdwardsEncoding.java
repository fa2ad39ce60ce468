package dev.ron.token.crypto;

/** The two range rules of RFC 8032 that providers apply differently; both are checked here, before any provider. */
final class EdwardsEncoding {
    // Little-endian, as on the wire.
    private static final byte[] P = littleEndian("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
    private static final byte[] L = littleEndian("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");

    private EdwardsEncoding() {}

    /** True when y is below p, and x's sign bit is not set where x is zero (y is 1 or -1). */
    static boolean isCanonical(byte[] bytes, int from) {
        byte[] y = java.util.Arrays.copyOfRange(bytes, from, from + 32);
        boolean signed = (y[31] & 0x80) != 0;
        y[31] &= 0x7f;
        return isBelow(y, 0, P) && !(signed && hasZeroX(y));
    }

    /** True when the scalar is below the group order: without this anyone can turn a signature into a second one. */
    static boolean isReduced(byte[] bytes, int from) {
        return isBelow(bytes, from, L);
    }

    private static boolean hasZeroX(byte[] y) {
        byte[] one = new byte[32];
        one[0] = 1;
        byte[] minusOne = P.clone();
        minusOne[0]--;
        return java.util.Arrays.equals(y, one) || java.util.Arrays.equals(y, minusOne);
    }

    private static boolean isBelow(byte[] bytes, int from, byte[] bound) {
        for (int i = 31; i >= 0; i--) {
            int difference = Byte.toUnsignedInt(bytes[from + i]) - Byte.toUnsignedInt(bound[i]);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return false;
    }

    private static byte[] littleEndian(String bigEndianHex) {
        byte[] bytes = java.util.HexFormat.of().parseHex(bigEndianHex);
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }
}
