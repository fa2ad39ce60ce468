package dev.ron.edge.pack;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Does what {@link Unpacking} undoes. */
public final class Packing {
    private Packing() {}

    public static byte[] pack(Coding coding, byte[] plain) {
        try {
            return switch (coding) {
                case NONE, UNKNOWN -> plain;
                case GZIP -> {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    yield finish(out, new GZIPOutputStream(out), plain);
                }
                case ZLIB -> {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    yield finish(out, new DeflaterOutputStream(out), plain);
                }
                case ZSTD -> Zstd.compress(plain);
                case BROTLI -> {
                    Brotli4jLoader.ensureAvailability();
                    yield Encoder.compress(plain);
                }
            };
        } catch (IOException e) {
            throw new IllegalStateException("compression in memory failed", e);
        }
    }

    private static byte[] finish(ByteArrayOutputStream bytes, OutputStream coder, byte[] plain) throws IOException {
        try (coder) {
            coder.write(plain);
        }
        return bytes.toByteArray();
    }
}
