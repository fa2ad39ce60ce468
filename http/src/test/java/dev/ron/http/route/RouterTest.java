package dev.ron.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {
    private static final List<String> TEMPLATES = List.of(
            "/",
            "/a",
            "/a/",
            "/a/b",
            "/a/{x}",
            "/a/{x}/c",
            "/a/b/**",
            "/a/{x}/{y}/**",
            "/p/**",
            "/{t}/z",
            "/q/{x}/r/s");

    private final Router<String> router = withRoutes(TEMPLATES);

    private static Router<String> withRoutes(List<String> templates) {
        Router.Builder<String> builder = Router.builder();
        templates.forEach(template -> builder.add("GET", template, template));
        return builder.build();
    }

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a, /a",
        "/a/, /a/",
        "/a/b, /a/b",
        "/a/k, /a/{x}",
        "/a/k/c, /a/{x}/c",
        "/a/b/c, /a/b/**",
        "/a/b/, /a/b/**",
        "/a/k/d, /a/{x}/{y}/**",
        "/a/k/d/e/f, /a/{x}/{y}/**",
        "/a/k/c/e, /a/{x}/{y}/**",
        "/p, /p/**",
        "/p/, /p/**",
        "/p/x;y/z, /p/**",
        "/p/z, /p/**",
        "/w/z, /{t}/z",
        "/q/1/r/s, /q/{x}/r/s",
        "/q/z, /{t}/z",
    })
    void mostLiteralTemplateWins(String path, String template) {
        assertThat(router.find("GET", path)).isInstanceOfSatisfying(Match.Found.class, found -> {
            assertThat(found.handler()).isEqualTo(template);
            assertThat(found.template()).hasToString(template);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/b", "/a//", "/pp", "/q/1/r", "/q/1/r/s/", "/w/z/", "/a;x", "/w;x/z", "*", "", "a"})
    void everythingElseHasNoRoute(String path) {
        assertThat(router.find("GET", path)).isInstanceOf(Match.NoRoute.class);
    }

    @Property(tries = 50)
    void orderOfAddingDoesNotMatter(@ForAll Random random) {
        List<String> shuffled = new ArrayList<>(TEMPLATES);
        Collections.shuffle(shuffled, random);
        Router<String> other = withRoutes(shuffled);
        for (String path : List.of("/a/b/c", "/a/k/c", "/a/b", "/p/z", "/a/k/c/e", "/q/z")) {
            assertThat(handler(other.find("GET", path))).isEqualTo(handler(router.find("GET", path)));
        }
    }

    private static Object handler(Match<String> match) {
        return match instanceof Match.Found<String> found ? found.handler() : match;
    }

    @Test
    void namesAreDecodedAndTheRestIsNot() {
        Router<String> router = Router.<String>builder()
                .add("GET", "/t/{tenant}/{object}/**", "h")
                .build();
        PathParams params = params(router.find("GET", "/t/a%20%C3%A9%25/o/x%20y/z"));
        assertThat(params.get("tenant")).isEqualTo("a \u00e9%");
        assertThat(params.get("object")).isEqualTo("o");
        assertThat(params.rest()).isEqualTo("/x%20y/z");
        assertThat(params(router.find("GET", "/t/a/b")).rest()).isEmpty();
        assertThat(params(router.find("GET", "/t/a/b/")).rest()).isEqualTo("/");
        assertThatThrownBy(() -> params.get("nobody")).isInstanceOf(IllegalArgumentException.class);
    }

    private static PathParams params(Match<String> match) {
        return ((Match.Found<String>) match).params();
    }

    @Test
    void aBranchWithoutRouteIsLeftAgain() {
        Router<String> router = Router.<String>builder()
                .add("GET", "/a/b/{x}/end", "deep")
                .add("GET", "/a/{y}/{z}", "shallow")
                .build();
        Match<String> match = router.find("GET", "/a/b/c");
        assertThat(handler(match)).isEqualTo("shallow");
        assertThat(params(match).get("y")).isEqualTo("b");
        assertThat(params(match).get("z")).isEqualTo("c");
    }

    @Test
    void aPlaceWithManyNextSegmentsIsSearchedLikeOneWithFew() {
        for (int many = 1; many < 20; many++) {
            Router.Builder<String> builder = Router.<String>builder().add("GET", "/a/{x}", "name");
            for (int i = 0; i < many; i++) {
                builder.add("GET", "/a/s" + i, "s" + i);
            }
            Router<String> router = builder.build();
            for (int i = 0; i < many; i++) {
                assertThat(handler(router.find("GET", "/a/s" + i))).isEqualTo("s" + i);
            }
            assertThat(handler(router.find("GET", "/a/s"))).isEqualTo("name");
            assertThat(handler(router.find("GET", "/a/s" + many))).isEqualTo("name");
        }
    }

    @Test
    void aServedPathWithAnotherMethodAnswersAllow() {
        Router<String> router = Router.<String>builder()
                .add("GET", "/x", "get")
                .add(List.of("PUT", "DELETE"), "/x", "write")
                .add("POST", "/y/{n}", "post")
                .build();
        assertThat(router.find("POST", "/x")).isEqualTo(new Match.WrongMethod<>("DELETE, GET, HEAD, PUT"));
        assertThat(router.find("GET", "/y/1")).isEqualTo(new Match.WrongMethod<>("POST"));
        assertThat(router.find("HEAD", "/y/1")).isEqualTo(new Match.WrongMethod<>("POST"));
        assertThat(router.find("get", "/x")).isInstanceOf(Match.WrongMethod.class);
        assertThat(handler(router.find("DELETE", "/x"))).isEqualTo("write");
    }

    @Test
    void headFallsBackToGetUnlessItHasItsOwnHandler() {
        Router<String> router = Router.<String>builder()
                .add("GET", "/x", "get")
                .add("HEAD", "/y", "head")
                .add("GET", "/y", "get")
                .build();
        assertThat(handler(router.find("HEAD", "/x"))).isEqualTo("get");
        assertThat(handler(router.find("HEAD", "/y"))).isEqualTo("head");
    }

    @Test
    void ambiguousRoutesAreRefusedWithBothNames() {
        Router.Builder<String> builder = Router.<String>builder()
                .add("GET", "/a/{x}", "one")
                .add("POST", "/a/{y}", "two")
                .add("GET", "/e", "e")
                .add("GET", "/r/**", "r");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.add("GET", "/a/{z}", "three"))
                .withMessageContaining("/a/{z}")
                .withMessageContaining("/a/{x}");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.add("GET", "/e", "again"));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.add("GET", "/r/**", "again"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "/a/{}",
                "/a/{X}",
                "/{x}/{x}",
                "/a/{x",
                "/a/x}",
                "/a/{x}.json",
                "/a/*",
                "/a/**/b",
                "/a**",
                "//**",
                "/a//b",
                "/a/../b",
                "/a/./b",
                "/%7e",
                "/%2f",
                "/a b",
                "/a;b",
                "/a//**",
                "/a\\b"
            })
    void unusableTemplatesAreRefused(String template) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Router.<String>builder().add("GET", template, "h"))
                .withMessageContaining(template);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "get", "TRACE", "CONNECT"})
    void unusableMethodsAreRefused(String method) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Router.<String>builder().add(method, "/a", "h"));
    }
}
