package dev.ron.ledger.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is written without a tree is what the tree would have written. */
class CanonicalWriterTest {
    @Test
    void writesWhatTheTreeWrites() {
        String text = "a\"\\\b\t\n\f\r\u0001\u007f\u00e9\u20ac\ud83d\ude00" + "x".repeat(2_000);
        byte[] direct = CanonicalWriter.object(out -> out.put("", true)
                .putAll("list", List.of(0L, -7L, Json.MAX_INTEGER), CanonicalWriter::write)
                .putIf("no", Optional.empty())
                .put("object", inner -> inner.put("a", text).put("b", 10))
                .putIf("s", Optional.of("x"))
                .putWritten("t", "[1]".getBytes(StandardCharsets.US_ASCII)));
        Json.Obj tree = new ObjWriter()
                .put("", true)
                .put("list", new Json.Arr(List.of(new Json.Int(0), new Json.Int(-7), new Json.Int(Json.MAX_INTEGER))))
                .put("object", new ObjWriter().put("a", text).put("b", 10).end())
                .put("s", "x")
                .put("t", new Json.Arr(List.of(new Json.Int(1))))
                .end();
        assertThat(direct).isEqualTo(CanonicalJson.bytes(tree));
        assertThat(CanonicalJson.object(direct)).isEqualTo(tree);
    }

    @Test
    void refusesWhatWouldNotBeCanonical() {
        assertThatThrownBy(() -> CanonicalWriter.object(out -> out.put("b", 1).put("a", 1)))
                .hasMessageContaining("member a after b");
        assertThatThrownBy(() -> CanonicalWriter.object(out -> out.put("a", 1).put("a", 1)))
                .hasMessageContaining("member a after a");
        assertThatThrownBy(() -> CanonicalWriter.object(out -> out.put("a", "\ud83d")))
                .hasMessageContaining("lone surrogate");
        assertThatThrownBy(() -> CanonicalWriter.object(out -> out.put("a", "\ude00x")))
                .hasMessageContaining("lone surrogate");
    }

    @Test
    void theOrderOfAnInnerObjectDoesNotDisturbTheOuter() {
        assertThat(new String(
                        CanonicalWriter.object(
                                out -> out.put("a", inner -> inner.put("z", 1)).put("b", 2)),
                        StandardCharsets.US_ASCII))
                .isEqualTo("{\"a\":{\"z\":1},\"b\":2}");
    }
}
