package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;

/**
 * Where the segments of a token text begin and end, found without decoding anything.
 *
 * <p>This is all that a repeated token needs: its root text and branch text find the parsed, proven chain in a cache.
 */
public final class Layout {
    static final String PREFIX = "pct1~";

    private final String text;
    private final int[] tildes;
    private final boolean hybrid;

    private Layout(String text, int[] tildes, boolean hybrid) {
        this.text = text;
        this.tildes = tildes;
        this.hybrid = hybrid;
    }

    public static Layout of(String text, Caps caps) throws Refused {
        if (text.length() > caps.maxChars()) {
            throw new Refused(
                    Reason.TOO_LARGE, "token has " + text.length() + " characters (at most " + caps.maxChars() + ")");
        }
        if (!text.startsWith(PREFIX)) {
            throw new Refused(Reason.MALFORMED, "token does not start with pct1~");
        }
        int most = caps.maxBlocks() + 3; // root, co-signature, blocks, proof
        int[] found = new int[most];
        int count = 0;
        for (int at = PREFIX.length() - 1; at >= 0; at = text.indexOf('~', at + 1)) {
            if (count == most) {
                throw tooManyBlocks(caps);
            }
            found[count++] = at;
        }
        if (count < 2) {
            throw new Refused(Reason.BAD_PROOF, "token has no proof segment");
        }
        boolean hybrid = count > 2 && isDetached(text, found[1], found[2]);
        if (count - (hybrid ? 3 : 2) > caps.maxBlocks()) {
            throw tooManyBlocks(caps);
        }
        return new Layout(text, java.util.Arrays.copyOf(found, count), hybrid);
    }

    /** A co-signature has no payload of its own, so its two dots touch; a block's never do. */
    private static boolean isDetached(String text, int from, int to) {
        int dots = text.indexOf("..", from, to);
        return dots > 0;
    }

    private static Refused tooManyBlocks(Caps caps) {
        return new Refused(Reason.TOO_MANY_BLOCKS, "token has more than " + caps.maxBlocks() + " blocks");
    }

    /** What the issuer signed: prefix, root and co-signature. */
    public String rootText() {
        return text.substring(0, rootEnd());
    }

    /** What holders added, each block with its leading tilde; empty if nothing was added. */
    public String branchText() {
        return text.substring(rootEnd(), chainEnd());
    }

    /** The branch text up to and including its first {@code blocks} blocks. */
    public String branchText(int blocks) {
        return text.substring(rootEnd(), tildes[blocks + (hybrid ? 2 : 1)]);
    }

    public Proof proof() throws Refused {
        return Proof.parse(text.substring(chainEnd() + 1));
    }

    /** The whole text: a credential, for hashing only. */
    public String text() {
        return text;
    }

    boolean hybrid() {
        return hybrid;
    }

    public int blockCount() {
        return tildes.length - (hybrid ? 3 : 2);
    }

    String root() {
        return segment(0);
    }

    String coSignature() {
        return segment(1);
    }

    String block(int index) {
        return segment(index + (hybrid ? 2 : 1));
    }

    /** Block {@code index} with its leading tilde: what it adds to the text before it. */
    String added(int index) {
        int at = index + (hybrid ? 2 : 1);
        return text.substring(tildes[at], tildes[at + 1]);
    }

    private String segment(int index) {
        return text.substring(tildes[index] + 1, tildes[index + 1]);
    }

    private int rootEnd() {
        return tildes[hybrid ? 2 : 1];
    }

    private int chainEnd() {
        return tildes[tildes.length - 1];
    }
}
