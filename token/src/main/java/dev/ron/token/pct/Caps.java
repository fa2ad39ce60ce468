package dev.ron.token.pct;

/** How large a token may be; the limits that bound every later step. */
public record Caps(int maxTokenBytes, int maxBlocks, int maxCaveats) {
    /** JSON of a header: fixed, since every header is a constant but for its key id. */
    static final int HEADER_BYTES = 256;

    /** JSON of one block. */
    static final int BLOCK_BYTES = 3072;

    static final int CAVEATS_PER_BLOCK = 32;

    /** A root so short is within every limit but the number of its caveats. */
    public static final int ALWAYS_READABLE_CHARS = 4096;

    static final int BLOCKS_EVER = 4;

    /** 6000 bytes as 8000 characters: a hybrid token with room for blocks that still fits an 8 KiB header line. */
    public static final Caps DEFAULT = new Caps(6000, BLOCKS_EVER, 64);

    public Caps {
        if (maxTokenBytes < 512 || maxTokenBytes > 16384) {
            throw new IllegalArgumentException("max_token_bytes: " + maxTokenBytes + " (expected: 512..16384)");
        }
        if (maxBlocks < 0 || maxBlocks > BLOCKS_EVER) {
            throw new IllegalArgumentException("max_blocks: " + maxBlocks + " (expected: 0..4)");
        }
        if (maxCaveats < 1 || maxCaveats > 1024) {
            throw new IllegalArgumentException("max_caveats: " + maxCaveats + " (expected: 1..1024)");
        }
    }

    /** Base64url writes three bytes as four characters. */
    public int maxChars() {
        return (maxTokenBytes * 4 + 2) / 3;
    }
}
