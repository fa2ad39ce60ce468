package dev.ron.edge.range;

import dev.ron.edge.digest.Digest;

/** An entity tag of RFC 9110, section 8.8.3; the opaque part is without its quotes. */
public record EntityTag(boolean weak, String opaque) {

    public EntityTag {
        if (!opaque.chars().allMatch(EntityTag::isTagChar)) {
            throw new IllegalArgumentException("entity tag with a character that may not be in one");
        }
    }

    /** {@code "b3:<hex>"}: the digest of exactly the bytes that are sent. */
    public static EntityTag ofContent(Digest digest) {
        return strong("b3:" + digest.hex());
    }

    public static EntityTag strong(String opaque) {
        return new EntityTag(false, opaque);
    }

    public static EntityTag weak(String opaque) {
        return new EntityTag(true, opaque);
    }

    /** Both strong and the same: what ranges and writes need. */
    public boolean matchesStrongly(EntityTag other) {
        return !weak && !other.weak && opaque.equals(other.opaque);
    }

    /** The same but for weakness: enough to say "not modified". */
    public boolean matchesWeakly(EntityTag other) {
        return opaque.equals(other.opaque);
    }

    /** etagc of the grammar: no quote, no space, no control character; obs-text is allowed. */
    static boolean isTagChar(int ch) {
        return ch == 0x21 || (ch >= 0x23 && ch <= 0x7E) || (ch >= 0x80 && ch <= 0xFF);
    }

    /** As it stands in a header. */
    @Override
    public String toString() {
        return weak ? "W/\"" + opaque + "\"" : "\"" + opaque + "\"";
    }
}
