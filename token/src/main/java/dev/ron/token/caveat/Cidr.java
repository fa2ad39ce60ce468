package dev.ron.token.caveat;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block of IP addresses; IPv4 inside IPv6 is folded to IPv4 on both sides of the comparison. */
public final class Cidr {
    private static final Pattern FORM = Pattern.compile("([0-9a-fA-F:.]{2,45})(?:/(0|[1-9][0-9]{0,2}))?");
    private static final Pattern IPV4 =
            Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final int MAPPED_PREFIX = 96;

    private final byte[] network;
    private final int bits;

    private Cidr(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    public static Cidr parse(String text) throws Refused {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw bad("is not an address block");
        }
        String literal = form.group(1);
        boolean six = literal.indexOf(':') >= 0;
        // The pattern first: the JDK also reads short forms such as 127.1, and zones, which would look up interfaces.
        if (!six && !IPV4.matcher(literal).matches()) {
            throw bad("is not an IPv4 address");
        }
        byte[] address;
        boolean folded;
        try {
            InetAddress parsed = InetAddress.ofLiteral(literal);
            address = parsed.getAddress();
            folded = six && parsed instanceof Inet4Address;
        } catch (IllegalArgumentException _) {
            throw bad("is not an IPv6 address");
        }
        int width = six ? 128 : 32;
        int bits = form.group(2) == null ? width : Integer.parseInt(form.group(2));
        if (bits > width || (folded && bits < MAPPED_PREFIX)) {
            throw bad("has an impossible prefix length");
        }
        if (folded) {
            bits -= MAPPED_PREFIX;
        }
        Cidr cidr = new Cidr(address, bits);
        // 10.1.2.3/8 is more likely a mistake than a wish for all of 10/8, so it is refused rather than widened.
        if (!Arrays.equals(mask(address, bits), address)) {
            throw bad("has bits set beyond its prefix length");
        }
        return cidr;
    }

    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        int whole = bits / 8;
        if (Arrays.mismatch(bytes, 0, whole, network, 0, whole) >= 0) {
            return false;
        }
        int rest = bits % 8;
        return rest == 0 || ((bytes[whole] ^ network[whole]) & 0xff) >>> (8 - rest) == 0;
    }

    private static byte[] mask(byte[] address, int bits) {
        byte[] masked = address.clone();
        for (int bit = bits; bit < address.length * 8; bit++) {
            masked[bit / 8] &= (byte) ~(0x80 >>> (bit % 8));
        }
        return masked;
    }

    private static Refused bad(String problem) {
        return new Refused(Reason.MALFORMED, "ip caveat " + problem);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cidr cidr && bits == cidr.bits && Arrays.equals(network, cidr.network);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(network) + bits;
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(network).getHostAddress() + "/" + bits;
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException("an address always has 4 or 16 bytes", e);
        }
    }
}
