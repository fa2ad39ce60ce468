package dev.ron.edge.pack;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** Undoes a coding under a bound on the result: no more is ever held than the bound and one byte. */
public final class Unpacking {
    /** Windows beyond 8 MiB cost more memory than the data they serve; RFC 8878 asks decoders for no more. */
    private static final int MAX_WINDOW_LOG = 23;

    private Unpacking() {}

    /** The plain bytes; a result beyond the bound or a broken stream is a {@link PackError} that names {@code what}. */
    public static byte[] unpack(Coding coding, byte[] stored, int maxBytes, String what) {
        if (!coding.isCompressed()) {
            return bounded(stored, maxBytes, what);
        }
        try (InputStream plain = open(coding, stored)) {
            // One byte more than allowed tells "exactly the bound" from "beyond it" without unpacking the rest.
            return bounded(plain.readNBytes(maxBytes + 1), maxBytes, what);
        } catch (IOException e) {
            throw new PackError(PackFault.BAD_CODING, what + " is not valid " + coding.contentCoding(), e);
        }
    }

    private static byte[] bounded(byte[] plain, int maxBytes, String what) {
        if (plain.length > maxBytes) {
            throw new PackError(PackFault.TOO_LARGE, what + " has more than " + maxBytes + " bytes");
        }
        return plain;
    }

    private static InputStream open(Coding coding, byte[] stored) throws IOException {
        InputStream in = new ByteArrayInputStream(stored);
        return switch (coding) {
            case GZIP -> new GZIPInputStream(in);
            case ZLIB -> new InflaterInputStream(in);
            case ZSTD -> new ZstdInputStream(in).setLongMax(MAX_WINDOW_LOG);
            case BROTLI -> {
                Brotli4jLoader.ensureAvailability();
                yield new BrotliInputStream(in);
            }
            case NONE, UNKNOWN -> in;
        };
    }
}
