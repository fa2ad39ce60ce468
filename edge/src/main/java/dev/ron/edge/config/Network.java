package dev.ron.edge.config;

import io.netty.util.NetUtil;

/** A network as {@code 10.0.0.0/8} or {@code fc00::/7}; contains addresses of its own family only. */
public record Network(String text, long high, long low, int prefix, int bytes) {

    public static Network parse(String text) {
        int slash = text.indexOf('/');
        byte[] address = slash < 0 ? null : NetUtil.createByteArrayFromIpAddressString(text.substring(0, slash));
        String digits = text.substring(slash + 1);
        if (address == null || !digits.matches("\\d{1,3}") || Integer.parseInt(digits) > 8 * address.length) {
            throw new IllegalArgumentException(
                    "network " + text + " (expected: an address and a prefix, as 10.0.0.0/8)");
        }
        return new Network(text, word(address, 0), word(address, 8), Integer.parseInt(digits), address.length);
    }

    /** Whether the text is one. */
    public static boolean isValid(String text) {
        try {
            parse(text);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    public boolean contains(byte[] address) {
        return address.length == bytes
                && same(high, word(address, 0), Math.min(prefix, 64))
                && same(low, word(address, 8), Math.max(prefix - 64, 0));
    }

    private static boolean same(long a, long b, int bits) {
        return bits == 0 || (a ^ b) >>> (64 - bits) == 0;
    }

    private static long word(byte[] address, int from) {
        long word = 0;
        for (int i = from; i < from + 8; i++) {
            word = word << 8 | (i < address.length ? address[i] & 0xFF : 0);
        }
        return word;
    }
}
