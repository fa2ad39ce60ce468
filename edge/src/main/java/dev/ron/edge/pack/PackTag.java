package dev.ron.edge.pack;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.range.EntityTag;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The tag of a whole archive, made of which file it is, in which state, and how it begins. */
public final class PackTag {
    private static final int HEX_CHARS = 32;

    private PackTag() {}

    public static EntityTag of(FileIdentity identity, byte[]... beginnings) {
        Blake3 hash = new Blake3();
        hash.update(identity.key().getBytes(StandardCharsets.UTF_8));
        hash.update(ByteBuffer.allocate(16)
                .putLong(identity.size())
                .putLong(identity.modified().to(TimeUnit.NANOSECONDS))
                .flip());
        for (byte[] beginning : beginnings) {
            hash.update(beginning);
        }
        return EntityTag.strong("pack:" + hash.finish().hex().substring(0, HEX_CHARS));
    }
}
