package dev.ron.http.decode;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Gzip (RFC 1952) with any number of members, check sums and lengths verified. */
final class GzipCodec implements Codec {
    private static final int TRAILER = 8;

    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private GzipHeader header = new GzipHeader();
    private Part part = Part.HEADER;
    private byte[] slice = new byte[0];
    private int at;
    private int end;
    private boolean anyMember;
    private long trailer;
    private int trailerSeen;

    private enum Part {
        HEADER,
        DATA,
        TRAILER
    }

    @Override
    public void feed(byte[] next, int length) {
        slice = next;
        at = 0;
        end = length;
        if (part == Part.DATA) {
            inflater.setInput(slice, 0, length);
        }
    }

    @Override
    public int read(byte[] out, int length) {
        while (true) {
            switch (part) {
                case HEADER -> {
                    if (!readHeader()) {
                        return 0;
                    }
                }
                case DATA -> {
                    int n = inflate(out, length);
                    if (n > 0 || part == Part.DATA) {
                        return n;
                    }
                }
                case TRAILER -> {
                    if (!readTrailer()) {
                        return 0;
                    }
                }
            }
        }
    }

    private boolean readHeader() {
        while (at < end) {
            if (header.take(slice[at++] & 0xFF)) {
                part = Part.DATA;
                inflater.reset();
                inflater.setInput(slice, at, end - at);
                crc.reset();
                return true;
            }
        }
        return false;
    }

    private int inflate(byte[] out, int length) {
        try {
            int n = inflater.inflate(out, 0, length);
            crc.update(out, 0, n);
            if (inflater.finished()) {
                at = end - inflater.getRemaining();
                part = Part.TRAILER;
                trailer = 0;
                trailerSeen = 0;
            }
            return n;
        } catch (DataFormatException e) {
            throw DecodeFailure.malformed("gzip data is damaged");
        }
    }

    private boolean readTrailer() {
        while (at < end && trailerSeen < TRAILER) {
            trailer |= (slice[at++] & 0xFFL) << (8 * trailerSeen++);
        }
        if (trailerSeen < TRAILER) {
            return false;
        }
        boolean sumFits = (trailer & 0xFFFF_FFFFL) == crc.getValue();
        boolean sizeFits = trailer >>> 32 == (inflater.getBytesWritten() & 0xFFFF_FFFFL);
        if (!sumFits || !sizeFits) {
            throw DecodeFailure.malformed("gzip check sum or length does not fit");
        }
        anyMember = true;
        header = new GzipHeader();
        part = Part.HEADER;
        return true;
    }

    @Override
    public boolean complete() {
        return anyMember && part == Part.HEADER && header.untouched();
    }

    @Override
    public void close() {
        inflater.end();
    }
}
