package dev.ron.ledger.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * BLAKE3 in its default mode, 256 bits out, fed a piece at a time by one thread.
 *
 * <p>The input is a binary tree over chunks of 1024 bytes. The stack holds one chaining value per complete subtree; a
 * finished chunk number n (from 1) closes as many subtrees as n has trailing zero bits, so the stack never holds more
 * than 54 for any length, and starts small because most inputs are. The last block and the last merges stay undone until
 * {@link #finish}, because only then is it known which node is the root.
 */
public final class Blake3 {
    private static final int BLOCK = 64;
    private static final int BLOCKS_PER_CHUNK = 16;
    private static final int WORDS = 8;
    private static final int FIRST_LEVELS = 4;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private int[] stack = new int[FIRST_LEVELS * WORDS];
    private final int[] words = new int[2 * WORDS];
    private final byte[] block = new byte[BLOCK];
    private int depth; // complete subtrees; the chaining value of the current chunk lies above them
    private int buffered; // bytes in block
    private int blocks; // blocks of the current chunk already compressed
    private long chunk; // number of the current chunk

    public Blake3() {
        startChunk();
    }

    /** The 32 bytes of the digest. */
    public static byte[] hash(byte[] input) {
        return new Blake3().update(input).finish();
    }

    public Blake3 update(byte[] input) {
        return update(input, 0, input.length);
    }

    public Blake3 update(byte[] input, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, input.length);
        int from = offset;
        int left = length;
        while (left > 0) {
            if (buffered == BLOCK) {
                // More input follows, so this block is not the last of all.
                compressBlock(block, 0);
                buffered = 0;
            }
            if (buffered == 0 && left > BLOCK) {
                // Whole blocks straight from the input; the last one stays back.
                int whole = (left - 1) / BLOCK;
                for (int i = 0; i < whole; i++) {
                    compressBlock(input, from);
                    from += BLOCK;
                }
                left -= whole * BLOCK;
            }
            int n = Math.min(BLOCK - buffered, left);
            System.arraycopy(input, from, block, buffered, n);
            buffered += n;
            from += n;
            left -= n;
        }
        return this;
    }

    /** Takes what remains in a buffer and leaves it empty. */
    public Blake3 update(ByteBuffer input) {
        if (input.hasArray()) {
            update(input.array(), input.arrayOffset() + input.position(), input.remaining());
            input.position(input.limit());
            return this;
        }
        byte[] piece = new byte[Math.min(input.remaining(), 16 * 1024)];
        while (input.hasRemaining()) {
            int n = Math.min(piece.length, input.remaining());
            input.get(piece, 0, n);
            update(piece, 0, n);
        }
        return this;
    }

    /** The 32 bytes of the digest; the hasher is used up. */
    public byte[] finish() {
        Arrays.fill(block, buffered, BLOCK, (byte) 0);
        load(block, 0);
        int flags = Compression.CHUNK_END | startFlag() | (depth == 0 ? Compression.ROOT : 0);
        Compression.compress(stack, depth * WORDS, words, buffered, chunk, flags);
        while (depth > 0) {
            depth--;
            merge(depth == 0 ? Compression.ROOT : 0);
        }
        ByteBuffer out = ByteBuffer.allocate(4 * WORDS).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < WORDS; i++) {
            out.putInt(stack[i]);
        }
        return out.array();
    }

    /** Compresses a full block that is known not to be the last of the input. */
    private void compressBlock(byte[] input, int from) {
        load(input, from);
        boolean last = blocks == BLOCKS_PER_CHUNK - 1;
        int flags = startFlag() | (last ? Compression.CHUNK_END : 0);
        Compression.compress(stack, depth * WORDS, words, BLOCK, chunk, flags);
        blocks++;
        if (last) {
            closeChunk();
        }
    }

    private void closeChunk() {
        chunk++;
        for (long n = chunk; (n & 1) == 0; n >>= 1) {
            depth--;
            merge(0);
        }
        depth++;
        if ((depth + 1) * WORDS > stack.length) {
            stack = Arrays.copyOf(stack, 2 * stack.length);
        }
        startChunk();
    }

    private void startChunk() {
        blocks = 0;
        startValue(depth * WORDS);
    }

    /** Joins the two values at the top into their parent. */
    private void merge(int rootFlag) {
        int at = depth * WORDS;
        System.arraycopy(stack, at, words, 0, 2 * WORDS);
        startValue(at);
        Compression.compress(stack, at, words, BLOCK, 0, Compression.PARENT | rootFlag);
    }

    private void startValue(int at) {
        System.arraycopy(Compression.IV, 0, stack, at, WORDS);
    }

    private int startFlag() {
        return blocks == 0 ? Compression.CHUNK_START : 0;
    }

    private void load(byte[] input, int from) {
        for (int i = 0; i < 2 * WORDS; i++) {
            words[i] = (int) INT.get(input, from + 4 * i);
        }
    }
}
