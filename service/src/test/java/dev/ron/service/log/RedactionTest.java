package dev.ron.service.log;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    private static final String CANARY = "cAnArY0123456789";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer %s",
                "authorization=Basic %s, next",
                "header {Authorization=[Bearer %s]}",
                "Proxy-Authorization: Digest username=x, response=%s",
                "Cookie: a=b; ron_passport=%s",
                "\"set-cookie\": \"sid=%s; Path=/\"",
                "calling with bearer %s now",
                "token pct1.%s.abc was refused",
                "PCT1.%s",
                "operator ron_op_%s came",
                "jwt eyJhbGciOi.%s.sig",
                "passphrase=%s",
                "db.password: %s",
                "{\"client_secret\":\"%s\"}",
                "?api_key=%s&x=1",
                "operator_token = %s",
                "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\n%s",
            })
    void credentialsDoNotPass(String form) {
        assertThat(Redaction.clean(form.formatted(CANARY)))
                .doesNotContain(CANARY)
                .contains("***");
    }

    @Test
    void ordinaryTextPasses() {
        String text = "route /v1/passport/issue tenant=acme took 3 ms, key kid-1 rotated, tokens issued: many";
        assertThat(Redaction.clean(text)).isEqualTo(text);
    }

    /** Wherever a token stands in a text, it does not pass. */
    @Property
    void tokensDoNotPassAnywhere(@ForAll("words") String before, @ForAll("words") String after) {
        assertThat(Redaction.clean(before + " pct1." + CANARY + "." + CANARY + " " + after))
                .doesNotContain(CANARY);
    }

    @Provide
    Arbitrary<String> words() {
        return Arbitraries.strings().ascii().ofMaxLength(30);
    }
}
