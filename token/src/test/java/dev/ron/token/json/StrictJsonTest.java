package dev.ron.token.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.token.Refused;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "{\"x\":{\"a\":1,\"a\":1}}",
                "{\"a\":1} {}",
                "{\"a\":1}x",
                "{\"a\":1.0}",
                "{\"a\":1e3}",
                "{\"a\":null}",
                "{\"a\":01}",
                "{\"a\":9007199254740992}",
                "{\"a\":-9007199254740992}",
                "{\"a\":99999999999999999999999999}",
                "{\"a\":[[[[[[1]]]]]]}",
                "{\"a\":\"\\ud800\"}",
                "{\"a\":\"\\udc00\\ud800\"}",
                "{\"a\":NaN}",
                "{'a':1}",
                "{a:1}",
                "{\"a\":1,}",
                "{\"a\":1/**/}",
                "{\"a\":\"\t\"}",
                "{\"a\":tru}",
                "{\"a\":",
                "{\"a\""
            })
    void refusesWhatTwoParsersCouldReadDifferently(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(Refused.class);
    }

    @Test
    void refusesOtherEncodings() {
        String object = "{\"a\":1}";
        assertThatThrownBy(() -> StrictJson.OWN.object(object.getBytes(StandardCharsets.UTF_16BE), 99, "x"))
                .isInstanceOf(Refused.class);
        assertThatThrownBy(() -> parse("\ufeff" + object)).isInstanceOf(Refused.class);
        assertThatThrownBy(() -> StrictJson.OWN.object(new byte[] {'{', '"', (byte) 0xc0, (byte) 0x80, '"'}, 99, "x"))
                .isInstanceOf(Refused.class);
    }

    @Test
    void readsTheLargestIntegerAndTheDeepestNesting() throws Refused {
        assertThat(parse("{\"a\":9007199254740991}").members()).containsEntry("a", new Json.Int(9007199254740991L));
        assertThat(parse("{\"a\":[[[[[1]]]]]}").members()).hasSize(1);
    }

    @Test
    void canonicalFormSortsKeysAndEscapesTheLeast() throws Refused {
        Json.Obj object = parse("{\"b\":\"\\u00e9\\u0001\\n\\\"\",\"a\":[true,-1]}");
        assertThat(CanonicalJson.write(object)).isEqualTo("{\"a\":[true,-1],\"b\":\"é\\u0001\\n\\\"\"}");
    }

    private static Json.Obj parse(String text) throws Refused {
        return StrictJson.OWN.object(text.getBytes(StandardCharsets.UTF_8), 1024, "test");
    }
}
