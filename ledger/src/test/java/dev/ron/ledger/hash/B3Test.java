package dev.ron.ledger.hash;

import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class B3Test {
    @Test
    void hashesAbc() {
        assertThat(B3.of("abc".getBytes(StandardCharsets.US_ASCII)))
                .hasToString("b3:6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "b3:", "b3:0", "B3:", "b3:AF1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"})
    void hasOneTextOnly(String text) {
        refuses(() -> B3.parse(text, "hash"), Reason.MALFORMED, "hash");
    }

    @Test
    void bytesAndTextAgree() throws Refused {
        B3 digest = B3.of(new byte[] {1});
        assertThat(B3.parse(digest.text(), "x")).isEqualTo(digest);
        assertThat("b3:" + java.util.HexFormat.of().formatHex(digest.bytes())).isEqualTo(digest.text());
    }

    @Test
    void anUntaggedObjectHasNoHash() {
        assertThatThrownBy(() -> B3.of(Json.Obj.of(Map.of()))).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AB==", "AA", "AA=", "A===", "AAAA====", "AA-_", "AA AA", "AAA=\n"})
    void base64HasOneTextOnly(String text) {
        assertThatThrownBy(() -> StrictBase64.decode(text, "x")).isInstanceOf(Refused.class);
    }
}
