package dev.ron.registry.book;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.AuditRecord;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The end of the audit chain while it grows. */
final class AuditTrail {
    private static final int MAX_TEXT = 120;

    private long seq;
    private B3 hash;

    AuditTrail(long seq, B3 hash) {
        this.seq = seq;
        this.hash = hash;
    }

    long seq() {
        return seq;
    }

    B3 hash() {
        return hash;
    }

    byte[] next(
            long atMs,
            String actor,
            AuditRecord.Action action,
            String subject,
            String result,
            Optional<String> reason,
            String corrId,
            Map<String, B3> inputs) {
        AuditRecord record = new AuditRecord(
                seq + 1,
                hash,
                atMs,
                cut(actor),
                action,
                cut(subject),
                cut(result),
                reason.map(AuditTrail::cut),
                cut(corrId),
                new TreeMap<>(inputs));
        byte[] bytes = record.bytes();
        seq++;
        hash = B3.of(bytes);
        return bytes;
    }

    private static String cut(String text) {
        if (text.length() <= MAX_TEXT) {
            return text;
        }
        // Half a character has no bytes.
        return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT);
    }
}
