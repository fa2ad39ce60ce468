package dev.ron.ledger.tree;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The entry bundle of C2SP tlog-tiles: up to 256 entries, each behind a big-endian 16-bit length. */
public final class EntryBundle {
    public static final int MAX_ENTRY_BYTES = 0xffff;

    private EntryBundle() {}

    public static byte[] encode(List<byte[]> entries) {
        if (entries.isEmpty() || entries.size() > TilePath.FULL) {
            throw new IllegalArgumentException(entries.size() + " entries (expected: 1..256)");
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] entry : entries) {
            if (entry.length > MAX_ENTRY_BYTES) {
                throw new IllegalArgumentException("entry of " + entry.length + " bytes (expected: at most 65535)");
            }
            out.write(entry.length >> 8);
            out.write(entry.length);
            out.writeBytes(entry);
        }
        return out.toByteArray();
    }

    public static List<byte[]> decode(byte[] bundle) throws Refused {
        List<byte[]> entries = new ArrayList<>();
        int at = 0;
        while (at < bundle.length) {
            if (entries.size() == TilePath.FULL) {
                throw new Refused(Reason.MALFORMED, "entry bundle: more than 256 entries");
            }
            int start = at + 2;
            int end = start > bundle.length
                    ? Integer.MAX_VALUE
                    : start + (Byte.toUnsignedInt(bundle[at]) << 8) + Byte.toUnsignedInt(bundle[at + 1]);
            if (end > bundle.length) {
                throw new Refused(Reason.MALFORMED, "entry bundle: entry " + entries.size() + " is cut off");
            }
            entries.add(Arrays.copyOfRange(bundle, start, end));
            at = end;
        }
        return List.copyOf(entries);
    }
}
