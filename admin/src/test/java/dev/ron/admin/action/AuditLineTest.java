package dev.ron.admin.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.admin.view.AuditRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditLineTest {

    /** Text that is no text, as half an emoji, must not look like tampering when it is read again. */
    @Test
    void whatIsReadBackHasTheHashThatWasWritten() {
        for (String text : List.of("plain", "grüße 日本", "😀", "half \ud83d", "\ude00 half", "\u0000\u2028\"\\")) {
            AuditEntry entry = new AuditEntry(
                    "a", "intent", text, List.of(text), "none", "p", "n", "dev", "reload", text, "ok", 1, text, "c");
            AuditRecord written = AuditLine.chain(entry, 1, "now", AuditLine.FIRST);
            AuditRecord read = AuditLine.parse(new String(AuditLine.bytes(written), StandardCharsets.UTF_8))
                    .orElseThrow();
            assertThat(AuditLine.flaw(read, 1, AuditLine.FIRST)).as(text).isNull();
        }
    }
}
