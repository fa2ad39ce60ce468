package dev.ron.registry.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A batch on disk.
 *
 * <pre>
 * header   magic 8 · sequence 8 · body length 4 · records 4 · CRC32C of the body 4 · CRC32C of the header 4
 * record   length 4 · type 1 · zero 3 · CRC32C of the bytes 4 · bytes
 * padding  zeros up to a multiple of 8
 * </pre>
 *
 * <p>The magic has bytes that UTF-8 never has, at places that no length, type or checksum can fill alone: content, which
 * strangers choose, can never look like a header.
 */
final class BatchCodec {
    static final int HEADER = 32;
    static final int ALIGN = 8;
    static final int MAX_BODY = 32 << 20;

    private static final int RECORD_HEAD = 12;
    private static final long MAGIC = 0xFF524547_FE4C4F47L;

    private BatchCodec() {}

    /** What a header says. */
    record Header(long seq, int bodyLength, int records, int bodyCrc) {
        int length() {
            return aligned(HEADER + bodyLength);
        }
    }

    static int length(List<Rec> records) {
        int body = 0;
        for (Rec rec : records) {
            body = Math.addExact(body, RECORD_HEAD + rec.body().length);
        }
        if (body > MAX_BODY || records.size() >= Ref.MAX_PLACES) {
            throw new IllegalArgumentException("a batch of " + body + " bytes in " + records.size() + " records");
        }
        return aligned(HEADER + body);
    }

    static int aligned(int length) {
        return (length + ALIGN - 1) & -ALIGN;
    }

    static ByteBuffer encode(long seq, List<Rec> records) {
        ByteBuffer out = ByteBuffer.allocate(length(records));
        out.position(HEADER);
        for (Rec rec : records) {
            out.putInt(rec.body().length)
                    .put((byte) rec.type().code())
                    .put(new byte[3])
                    .putInt(crc(ByteBuffer.wrap(rec.body())))
                    .put(rec.body());
        }
        int bodyLength = out.position() - HEADER;
        int bodyCrc = crc(out.slice(HEADER, bodyLength));
        out.putLong(0, MAGIC)
                .putLong(8, seq)
                .putInt(16, bodyLength)
                .putInt(20, records.size())
                .putInt(24, bodyCrc);
        out.putInt(28, crc(out.slice(0, 28)));
        return out.clear();
    }

    /** The header at the buffer's start, where there is a whole one. */
    static Optional<Header> header(ByteBuffer bytes) {
        if (bytes.remaining() < HEADER) {
            return Optional.empty();
        }
        ByteBuffer head = bytes.slice(bytes.position(), HEADER);
        if (head.getLong(0) != MAGIC || head.getInt(28) != crc(head.slice(0, 28))) {
            return Optional.empty();
        }
        Header header = new Header(head.getLong(8), head.getInt(16), head.getInt(20), head.getInt(24));
        boolean sane = header.bodyLength >= 0 && header.bodyLength <= MAX_BODY && header.records >= 0;
        return sane ? Optional.of(header) : Optional.empty();
    }

    /** The records of a whole batch. */
    static List<Rec> decode(Header header, ByteBuffer batch) throws BadBatch {
        if (batch.remaining() < header.length()) {
            throw new BadBatch("batch " + header.seq + " is cut off");
        }
        ByteBuffer body = batch.slice(batch.position() + HEADER, header.bodyLength);
        if (crc(body.duplicate()) != header.bodyCrc) {
            throw new BadBatch("batch " + header.seq + " has a wrong checksum");
        }
        for (int i = HEADER + header.bodyLength; i < header.length(); i++) {
            if (batch.get(batch.position() + i) != 0) {
                throw new BadBatch("batch " + header.seq + " has no clean end");
            }
        }
        List<Rec> records = new ArrayList<>(header.records);
        for (int i = 0; i < header.records; i++) {
            records.add(record(body));
        }
        if (body.hasRemaining()) {
            throw new BadBatch("batch " + header.seq + " is longer than its records");
        }
        return records;
    }

    private static Rec record(ByteBuffer body) throws BadBatch {
        if (body.remaining() < RECORD_HEAD) {
            throw new BadBatch("a record is cut off");
        }
        int length = body.getInt();
        // The type and three zeros, as one number.
        int typed = body.getInt();
        Rec.Type type = Rec.Type.of(typed >>> 24);
        int crc = body.getInt();
        if (length < 0 || length > body.remaining() || (typed & 0xffffff) != 0) {
            throw new BadBatch("a record of length " + length);
        }
        byte[] bytes = new byte[length];
        body.get(bytes);
        if (crc(ByteBuffer.wrap(bytes)) != crc) {
            throw new BadBatch("a record has a wrong checksum");
        }
        return new Rec(type, bytes);
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
