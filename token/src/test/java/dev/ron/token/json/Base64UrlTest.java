package dev.ron.token.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.token.Refused;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Base64UrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A", "AB", "AAB", "AA==", "AAA=", "AA A", "A+AA", "A/AA", "AA\n", "AAAAA", "ÄÖAA", "ĀĀĀĀ", "=", "AA="
            })
    void refusesPaddingStrayCharactersAndLooseBits(String text) {
        assertThatThrownBy(() -> Base64Url.decode(text, "x")).isInstanceOf(Refused.class);
    }

    @Property(tries = 500)
    void everyByteStringHasOneText(@ForAll @Size(max = 40) byte[] bytes) throws Refused {
        assertThat(Base64Url.decode(Base64Url.encode(bytes), "x")).isEqualTo(bytes);
    }

    /** Whatever is accepted is exactly what encoding its bytes would give. */
    @Property(tries = 2000)
    void acceptsNoSecondSpelling(@ForAll("texts") String text) {
        try {
            assertThat(Base64Url.encode(Base64Url.decode(text, "x"))).isEqualTo(text);
        } catch (Refused _) {
            // fine
        }
    }

    @net.jqwik.api.Provide
    net.jqwik.api.Arbitrary<String> texts() {
        return net.jqwik.api.Arbitraries.strings().withChars("ABQgwxyz019-_=").ofMaxLength(8);
    }
}
