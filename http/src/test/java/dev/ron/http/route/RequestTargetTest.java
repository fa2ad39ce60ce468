package dev.ron.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTargetTest {

    @Test
    void originFormIsSplitAndNormalised() {
        assertThat(RequestTarget.parse("/a/../b?x=/../y&z"))
                .isEqualTo(new RequestTarget("", "/b", "x=/../y&z"))
                .returns("/b?x=/../y&z", RequestTarget::pathAndQuery);
    }

    @Test
    void absoluteFormKeepsItsAuthority() {
        assertThat(RequestTarget.parse("http://x.test:81/a?q")).isEqualTo(new RequestTarget("x.test:81", "/a", "q"));
        assertThat(RequestTarget.parse("HTTPS://x.test")).isEqualTo(new RequestTarget("x.test", "/", ""));
        assertThat(RequestTarget.parse("http://x.test?q")).isEqualTo(new RequestTarget("x.test", "/", "q"));
    }

    @Test
    void asteriskIsItsOwnForm() {
        assertThat(RequestTarget.parse("*")).isEqualTo(new RequestTarget("", "*", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a/b",
                "x.test:443",
                "ftp://x/",
                "http:///a",
                "http://u:p@x/",
                "http://x/a#f",
                "/a#f",
                "/a?b#c",
                "/a?b\u0001",
                "/a?\u00e9",
                "**",
                "javascript:1",
                "http:/x/a"
            })
    void otherFormsAreRefused(String target) {
        assertThatThrownBy(() -> RequestTarget.parse(target)).isInstanceOf(BadTarget.class);
    }
}
