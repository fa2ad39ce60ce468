package dev.ron.ledger.hash;

/**
 * The compression function of BLAKE3 (section 2.2 of its paper), cut to the 256 bits that are ever used here.
 *
 * <p>State and message are locals, not arrays: the compiler then keeps them in registers, which is where the speed
 * over a textbook version comes from. Hence the length of the one method.
 */
final class Compression {
    static final int CHUNK_START = 1;
    static final int CHUNK_END = 2;
    static final int PARENT = 4;
    static final int ROOT = 8;

    /** The first words of the fractional parts of the square roots of the first eight primes, as in SHA-256. */
    static final int[] IV = {
        0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
    };

    private static final int ROUNDS = 7;

    private Compression() {}

    /** Mixes the sixteen words of a block into the eight words of the chaining value at {@code at}. */
    static void compress(int[] cv, int at, int[] block, int blockBytes, long counter, int flags) {
        int v0 = cv[at + 0];
        int v1 = cv[at + 1];
        int v2 = cv[at + 2];
        int v3 = cv[at + 3];
        int v4 = cv[at + 4];
        int v5 = cv[at + 5];
        int v6 = cv[at + 6];
        int v7 = cv[at + 7];
        int v8 = 0x6A09E667;
        int v9 = 0xBB67AE85;
        int v10 = 0x3C6EF372;
        int v11 = 0xA54FF53A;
        int v12 = (int) counter;
        int v13 = (int) (counter >>> 32);
        int v14 = blockBytes;
        int v15 = flags;
        int m0 = block[0];
        int m1 = block[1];
        int m2 = block[2];
        int m3 = block[3];
        int m4 = block[4];
        int m5 = block[5];
        int m6 = block[6];
        int m7 = block[7];
        int m8 = block[8];
        int m9 = block[9];
        int m10 = block[10];
        int m11 = block[11];
        int m12 = block[12];
        int m13 = block[13];
        int m14 = block[14];
        int m15 = block[15];
        for (int round = 1; ; round++) {
            // columns
            v0 += v4 + m0;
            v12 = Integer.rotateRight(v12 ^ v0, 16);
            v8 += v12;
            v4 = Integer.rotateRight(v4 ^ v8, 12);
            v0 += v4 + m1;
            v12 = Integer.rotateRight(v12 ^ v0, 8);
            v8 += v12;
            v4 = Integer.rotateRight(v4 ^ v8, 7);
            v1 += v5 + m2;
            v13 = Integer.rotateRight(v13 ^ v1, 16);
            v9 += v13;
            v5 = Integer.rotateRight(v5 ^ v9, 12);
            v1 += v5 + m3;
            v13 = Integer.rotateRight(v13 ^ v1, 8);
            v9 += v13;
            v5 = Integer.rotateRight(v5 ^ v9, 7);
            v2 += v6 + m4;
            v14 = Integer.rotateRight(v14 ^ v2, 16);
            v10 += v14;
            v6 = Integer.rotateRight(v6 ^ v10, 12);
            v2 += v6 + m5;
            v14 = Integer.rotateRight(v14 ^ v2, 8);
            v10 += v14;
            v6 = Integer.rotateRight(v6 ^ v10, 7);
            v3 += v7 + m6;
            v15 = Integer.rotateRight(v15 ^ v3, 16);
            v11 += v15;
            v7 = Integer.rotateRight(v7 ^ v11, 12);
            v3 += v7 + m7;
            v15 = Integer.rotateRight(v15 ^ v3, 8);
            v11 += v15;
            v7 = Integer.rotateRight(v7 ^ v11, 7);
            // diagonals
            v0 += v5 + m8;
            v15 = Integer.rotateRight(v15 ^ v0, 16);
            v10 += v15;
            v5 = Integer.rotateRight(v5 ^ v10, 12);
            v0 += v5 + m9;
            v15 = Integer.rotateRight(v15 ^ v0, 8);
            v10 += v15;
            v5 = Integer.rotateRight(v5 ^ v10, 7);
            v1 += v6 + m10;
            v12 = Integer.rotateRight(v12 ^ v1, 16);
            v11 += v12;
            v6 = Integer.rotateRight(v6 ^ v11, 12);
            v1 += v6 + m11;
            v12 = Integer.rotateRight(v12 ^ v1, 8);
            v11 += v12;
            v6 = Integer.rotateRight(v6 ^ v11, 7);
            v2 += v7 + m12;
            v13 = Integer.rotateRight(v13 ^ v2, 16);
            v8 += v13;
            v7 = Integer.rotateRight(v7 ^ v8, 12);
            v2 += v7 + m13;
            v13 = Integer.rotateRight(v13 ^ v2, 8);
            v8 += v13;
            v7 = Integer.rotateRight(v7 ^ v8, 7);
            v3 += v4 + m14;
            v14 = Integer.rotateRight(v14 ^ v3, 16);
            v9 += v14;
            v4 = Integer.rotateRight(v4 ^ v9, 12);
            v3 += v4 + m15;
            v14 = Integer.rotateRight(v14 ^ v3, 8);
            v9 += v14;
            v4 = Integer.rotateRight(v4 ^ v9, 7);
            if (round == ROUNDS) {
                break;
            }
            // the message permutation, cycle by cycle
            int t0 = m0;
            m0 = m2;
            m2 = m3;
            m3 = m10;
            m10 = m12;
            m12 = m9;
            m9 = m11;
            m11 = m5;
            m5 = t0;
            int t1 = m1;
            m1 = m6;
            m6 = m4;
            m4 = m7;
            m7 = m13;
            m13 = m14;
            m14 = m15;
            m15 = m8;
            m8 = t1;
        }
        cv[at + 0] = v0 ^ v8;
        cv[at + 1] = v1 ^ v9;
        cv[at + 2] = v2 ^ v10;
        cv[at + 3] = v3 ^ v11;
        cv[at + 4] = v4 ^ v12;
        cv[at + 5] = v5 ^ v13;
        cv[at + 6] = v6 ^ v14;
        cv[at + 7] = v7 ^ v15;
    }
}
