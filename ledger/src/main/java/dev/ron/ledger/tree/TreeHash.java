package dev.ron.ledger.tree;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.Sha256;
import dev.ron.ledger.hash.StrictBase64;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import java.security.MessageDigest;
import java.util.Arrays;

/** A node of an RFC 6962 tree (SHA-256), printed as base64. */
public final class TreeHash {
    public static final int BYTES = 32;

    /** The root of the tree without leaves: SHA-256 of nothing. */
    public static final TreeHash EMPTY_ROOT = new TreeHash(Sha256.of());

    private final byte[] bytes;

    private TreeHash(byte[] bytes) {
        this.bytes = bytes;
    }

    // The two prefixes keep leaves and inner nodes apart: without them an inner node's preimage would pass as a leaf.

    public static TreeHash leaf(byte[] data) {
        MessageDigest digest = Sha256.start();
        digest.update((byte) 0);
        return new TreeHash(digest.digest(data));
    }

    public static TreeHash node(TreeHash left, TreeHash right) {
        return node(Sha256.start(), left, right);
    }

    /** The same with a digest that was started before and is fresh again afterwards: for those who hash a whole path. */
    public static TreeHash node(MessageDigest digest, TreeHash left, TreeHash right) {
        digest.update((byte) 1);
        digest.update(left.bytes);
        return new TreeHash(digest.digest(right.bytes));
    }

    public static TreeHash of(byte[] bytes, int offset) {
        return new TreeHash(Arrays.copyOfRange(bytes, offset, Math.addExact(offset, BYTES)));
    }

    public static TreeHash parse(String base64, String what) throws Refused {
        return new TreeHash(StrictBase64.decode(base64, BYTES, what));
    }

    public static TreeHash fromJson(Json value, String what) throws Refused {
        return parse(Fields.string(value, what), what);
    }

    public Json toJson() {
        return new Json.Str(toString());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, BYTES);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TreeHash hash && Arrays.equals(bytes, hash.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return StrictBase64.encode(bytes);
    }
}
