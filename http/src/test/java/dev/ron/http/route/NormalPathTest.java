package dev.ron.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NormalPathTest {

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a/b, /a/b",
        "/a/b/, /a/b/",
        "/a//b///c, /a/b/c",
        "//host/x, /host/x",
        "/a/./b, /a/b",
        "/a/b/., /a/b/",
        "/a/b/.., /a/",
        "/a/.., /",
        "/a/b/../../c, /c",
        "/a/%2e%2E/c, /c",
        "/a/%2e./c, /c",
        "/%7euser/%41, /~user/A",
        "/a%3ab, /a%3Ab",
        "/a%3bb;c, /a%3Bb;c",
        "/%252e%252e/x, /%252e%252e/x",
        "/caf%c3%a9, /caf%C3%A9",
        "/%f0%9f%98%80, /%F0%9F%98%80",
        "/a|b^{c}, /a%7Cb%5E%7Bc%7D",
        "/.well-known/jwks.json, /.well-known/jwks.json",
        "/..., /...",
        "/..a/.b/a.., /..a/.b/a..",
        "/.a;x, /.a;x",
        "/...;x, /...;x",
    })
    void everyPathHasOneSpelling(String raw, String normal) {
        assertThat(NormalPath.of(raw)).isEqualTo(normal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "*",
                "/..",
                "/../a",
                "/a/../..",
                "/a/%2e%2e/..",
                "/./..",
                "//..",
                "/a/..;/b",
                "/a/..;x=1/b",
                "/a/.;/b",
                "/a/%2e%2e;/b",
                "/a/..%3b/b",
                "/a/..%3B",
                "/a/.%3b",
                "/a%00b",
                "/a%0ab",
                "/a%7f",
                "/a%2fb",
                "/a%2Fb",
                "/a%5cb",
                "/a\\b",
                "/a b",
                "/a\tb",
                "/a\u0000b",
                "/a?b",
                "/a#b",
                "/caf\u00e9",
                "/a%",
                "/a%4",
                "/a%4g",
                "/a%\uff11\uff11",
                "/%c3",
                "/%c3a",
                "/%c3%28",
                "/%c0%af",
                "/%c1%81",
                "/%e0%80%af",
                "/%ed%a0%80",
                "/%f4%90%80%80",
                "/%f5%80%80%80",
                "/%80",
                "/%ff",
                "/%c2%85",
                "/%c3/%a9",
                "/%f0%82%82%ac"
            })
    void ambiguousOrForbiddenPathsAreRefused(String raw) {
        assertThatThrownBy(() -> NormalPath.of(raw)).isInstanceOf(BadTarget.class);
    }

    @Test
    void usualPathIsNotCopied() {
        String path = "/v1/passport/issue;a=1";
        assertThat(NormalPath.of(path)).isSameAs(path);
    }

    @Property(tries = 20_000)
    void normalisingTwiceChangesNothing(@ForAll("paths") String raw) {
        String normal;
        try {
            normal = NormalPath.of(raw);
        } catch (BadTarget e) {
            return; // refused is a legal outcome; any other exception fails the property
        }
        assertThat(NormalPath.of(normal)).isEqualTo(normal);
        assertThat(normal).startsWith("/").matches("[\\x21-\\x7e]*").doesNotContain("//", "/./", "/../", "\\", "%2F");
        assertThat(normal.endsWith("/..") || normal.endsWith("/.")).isFalse();
    }

    @Provide
    Arbitrary<String> paths() {
        Arbitrary<String> pieces = Arbitraries.of(
                "/",
                "/",
                "/",
                ".",
                "..",
                "%2e",
                "%2E",
                ";",
                "%3b",
                "a",
                "B",
                "~",
                "%7e",
                "%41",
                "%c3%a9",
                "%C3",
                "%25",
                "%2",
                "%",
                "%2f",
                "%5c",
                "\\",
                "|",
                "\"",
                " ",
                "%00",
                "%20",
                "\u00e9",
                "\u0001",
                "%f0%9f%98%80",
                "?");
        Arbitrary<String> odd = Arbitraries.strings().ofMaxLength(3);
        return Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(20, pieces), net.jqwik.api.Tuple.of(1, odd))
                .list()
                .ofMaxSize(14)
                .map(list -> "/" + String.join("", list));
    }
}
