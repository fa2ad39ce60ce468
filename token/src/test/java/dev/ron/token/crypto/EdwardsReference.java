package dev.ron.token.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;

/** Ed25519 by the book, slow and plain, to build the signatures no honest signer makes. */
final class EdwardsReference {
    static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));
    static final BigInteger L = BigInteger.TWO.pow(252).add(new BigInteger("27742317777372353535851937790883648493"));
    private static final BigInteger D = BigInteger.valueOf(-121665)
            .multiply(inverse(BigInteger.valueOf(121666)))
            .mod(P);
    private static final BigInteger SQRT_M1 =
            BigInteger.TWO.modPow(P.subtract(BigInteger.ONE).shiftRight(2), P);

    static final Point IDENTITY = new Point(BigInteger.ZERO, BigInteger.ONE);
    static final Point BASE = decode(fill("58", "66"));
    /** A point of order eight. */
    static final Point TORSION = decode("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");

    record Point(BigInteger x, BigInteger y) {
        Point plus(Point o) {
            BigInteger product = D.multiply(x).multiply(o.x).multiply(y).multiply(o.y);
            BigInteger nx = x.multiply(o.y).add(o.x.multiply(y)).multiply(inverse(BigInteger.ONE.add(product)));
            BigInteger ny = y.multiply(o.y).add(x.multiply(o.x)).multiply(inverse(BigInteger.ONE.subtract(product)));
            return new Point(nx.mod(P), ny.mod(P));
        }

        Point times(BigInteger scalar) {
            Point sum = IDENTITY;
            for (int i = scalar.bitLength() - 1; i >= 0; i--) {
                sum = sum.plus(sum);
                if (scalar.testBit(i)) {
                    sum = sum.plus(this);
                }
            }
            return sum;
        }

        byte[] encode() {
            byte[] bytes = littleEndian(y);
            if (x.testBit(0)) {
                bytes[31] |= (byte) 0x80;
            }
            return bytes;
        }
    }

    private EdwardsReference() {}

    static BigInteger inverse(BigInteger value) {
        return value.mod(P).modInverse(P);
    }

    static byte[] littleEndian(BigInteger value) {
        byte[] bytes = new byte[32];
        for (int i = 0; i < 32; i++) {
            bytes[i] = value.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }

    static BigInteger fromLittleEndian(byte[] bytes) {
        BigInteger value = BigInteger.ZERO;
        for (int i = bytes.length - 1; i >= 0; i--) {
            value = value.shiftLeft(8).or(BigInteger.valueOf(Byte.toUnsignedInt(bytes[i])));
        }
        return value;
    }

    private static String fill(String first, String rest) {
        return first + rest.repeat(31);
    }

    static Point decode(String hex) {
        byte[] bytes = java.util.HexFormat.of().parseHex(hex);
        boolean odd = (bytes[31] & 0x80) != 0;
        bytes[31] &= 0x7f;
        BigInteger y = fromLittleEndian(bytes).mod(P);
        BigInteger y2 = y.multiply(y);
        BigInteger x2 = y2.subtract(BigInteger.ONE)
                .multiply(inverse(D.multiply(y2).add(BigInteger.ONE)))
                .mod(P);
        BigInteger x = x2.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
        if (!x.multiply(x).mod(P).equals(x2)) {
            x = x.multiply(SQRT_M1).mod(P);
        }
        return new Point(x.testBit(0) == odd ? x : P.subtract(x).mod(P), y);
    }

    /** The private scalar behind a seed. */
    static BigInteger scalar(byte[] seed) {
        byte[] half = Arrays.copyOf(sha512(seed), 32);
        half[0] &= (byte) 0xf8;
        half[31] &= 0x7f;
        half[31] |= 0x40;
        return fromLittleEndian(half);
    }

    /** A signature with this R and this key encoding: S = r + k a, where k hashes exactly the bytes given. */
    static byte[] sign(byte[] encodedR, BigInteger r, byte[] encodedKey, BigInteger a, byte[] message) {
        BigInteger k = fromLittleEndian(sha512(encodedR, encodedKey, message)).mod(L);
        byte[] signature = Arrays.copyOf(encodedR, 64);
        System.arraycopy(littleEndian(r.add(k.multiply(a)).mod(L)), 0, signature, 32, 32);
        return signature;
    }

    static byte[] sha512(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-512");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
