package dev.ron.http.decode;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Bodies made by the real compressors. */
final class Coded {
    private Coded() {}

    static byte[] encode(ContentCoding coding, byte[] plain) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            switch (coding) {
                case GZIP -> {
                    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                        gzip.write(plain);
                    }
                }
                case DEFLATE -> {
                    try (DeflaterOutputStream deflate = new DeflaterOutputStream(out)) {
                        deflate.write(plain);
                    }
                }
                case BR -> out.write(brotli(plain, 22));
                case ZSTD -> out.write(Zstd.compress(plain));
            }
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] brotli(byte[] plain, int window) throws IOException {
        Brotli4jLoader.ensureAvailability();
        return Encoder.compress(plain, new Encoder.Parameters().setQuality(4).setWindow(window));
    }

    /** Written as a stream of unknown length, so that the frame asks for the whole window. */
    static byte[] zstdWithWindow(byte[] plain, int windowLog) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(out)) {
            zstd.setLong(windowLog);
            zstd.write(plain);
        }
        return out.toByteArray();
    }

    /** A gzip member whose head carries an extra field, a name, a comment and a check sum of the head. */
    static byte[] gzipWithHead(byte[] plain, int extraBytes, boolean goodSum) {
        byte[] gzip = encode(ContentCoding.GZIP, plain);
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 0});
        head.write(extraBytes);
        head.write(extraBytes >> 8);
        head.writeBytes(new byte[extraBytes]);
        head.writeBytes(new byte[] {'n', 0, 'c', 0});
        CRC32 sum = new CRC32();
        sum.update(head.toByteArray());
        int low = (int) sum.getValue() + (goodSum ? 0 : 1);
        head.write(low);
        head.write(low >> 8);
        head.write(gzip, 10, gzip.length - 10);
        return head.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
