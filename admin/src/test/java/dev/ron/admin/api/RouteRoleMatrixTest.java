package dev.ron.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.admin.ConsoleProcess;
import dev.ron.admin.FakeNode;
import dev.ron.admin.auth.Access;
import dev.ron.kernel.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every route with every kind of caller, made from the route table: a new route is in here by itself. */
class RouteRoleMatrixTest {
    private static final Map<String, String[]> CALLERS = Map.of(
            "nobody",
            new String[] {},
            "no role",
            new String[] {"X-User", "eve", "X-Groups", "strangers"},
            "viewer",
            new String[] {"X-User", "vic", "X-Groups", "viewer"},
            "operator",
            new String[] {"X-User", "olga", "X-Groups", "ops"},
            "admin",
            new String[] {"X-User", "ada", "X-Groups", "admin"});

    private static FakeNode node;
    private static ConsoleProcess console;

    @BeforeAll
    static void start() throws Exception {
        node = new FakeNode();
        console = ConsoleProcess.with(
                "admin.auth.mode=ingress",
                "admin.auth.ingress.trusted_proxies=127.0.0.0/8",
                "admin.ui.read_only=false",
                "admin.actions.enable_reload=true",
                "admin.actions.enable_drain=true",
                "admin.actions.enable_shutdown=true",
                "admin.actions.cooldown=0s",
                "admin.actions.per_subject_per_min=1000",
                "admin.nodes.n1.base_url=" + node.url());
        Eventually.await(
                "the node was asked",
                () -> console.get("/api/nodes/n1", caller("admin"))
                        .body()
                        .path("ready")
                        .asBoolean(false));
    }

    private static String[] caller(String name) {
        return java.util.Objects.requireNonNull(CALLERS.get(name));
    }

    @AfterAll
    static void stop() {
        console.close();
        node.close();
    }

    @TestFactory
    List<DynamicTest> everyRouteIsOpenToWhomTheTableSaysAndToNobodyElse() {
        List<DynamicTest> all = new ArrayList<>();
        for (Endpoint endpoint : Endpoint.values()) {
            CALLERS.forEach((caller, identity) -> all.add(DynamicTest.dynamicTest(
                    endpoint.method() + " " + endpoint.path() + " as " + caller,
                    () -> assertThat(kind(call(endpoint, identity))).isEqualTo(expected(endpoint, caller)))));
        }
        return all;
    }

    private static String expected(Endpoint endpoint, String caller) {
        Access access = endpoint.access();
        if (access == Access.OPEN) {
            return "served";
        }
        if (caller.equals("nobody")) {
            return "401";
        }
        int rank = List.of("no role", "viewer", "operator", "admin").indexOf(caller);
        int needed = List.of(Access.ANY, Access.VIEWER, Access.OPERATOR, Access.ADMIN)
                .indexOf(access);
        return rank >= needed ? "served" : "403";
    }

    private static String kind(int status) {
        return status == 401 || status == 403 ? Integer.toString(status) : "served";
    }

    private static int call(Endpoint endpoint, String[] identity) {
        String path = endpoint.path().replace("{id}", "n1");
        if (endpoint == Endpoint.EVENTS) {
            return stream(path, identity);
        }
        if (!endpoint.unsafe()) {
            return console.get(path + (endpoint == Endpoint.SERIES ? "?key=a" : ""), identity)
                    .status();
        }
        String body = endpoint == Endpoint.SIGN_IN ? "{\"token\":\"x\"}" : "{\"confirm\":\"n1\"}";
        return console.send(endpoint.method(), path, body, console.ownPage(identity))
                .status();
    }

    /** A stream does not end by itself: its head says enough. */
    private static int stream(String path, String[] identity) {
        try (dev.ron.http.testing.RawClient raw = new dev.ron.http.testing.RawClient(console.port())) {
            StringBuilder head = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
            for (int i = 0; i < identity.length; i += 2) {
                head.append(identity[i]).append(": ").append(identity[i + 1]).append("\r\n");
            }
            return Integer.parseInt(
                    raw.send(head.append("\r\n").toString()).line().substring(9, 12));
        }
    }

    @Test
    void everyAnswerCarriesTheSecurityHeaders() {
        for (String path :
                List.of("/", "/api/ui-config", "/api/nodes", "/api/nope", "/assets/nope.js", "/api/nodes/n1")) {
            ConsoleProcess.Answer answer = console.get(path, caller("viewer"));
            assertThat(answer.header("Content-Security-Policy"))
                    .as(path)
                    .contains("default-src 'none'")
                    .contains("frame-ancestors 'none'");
            assertThat(answer.header("X-Content-Type-Options")).as(path).isEqualTo("nosniff");
            assertThat(answer.header("X-Frame-Options")).as(path).isEqualTo("DENY");
            assertThat(answer.raw().headers().map().keySet())
                    .as(path)
                    .noneMatch(name -> name.startsWith("access-control"));
        }
    }

    /** Without all four proofs nothing is changed: origin, site, content type, token. */
    @Test
    void anUnsafeRequestMustComeFromOurOwnPage() {
        String[] admin = caller("admin");
        String[] good = console.ownPage(admin);
        int before = node.requests("POST /api/v1/reload").size();
        assertThat(reload(replaced(good, "Origin", "https://evil.example")).status())
                .isEqualTo(403);
        assertThat(reload(replaced(good, "Origin", "null")).status()).isEqualTo(403);
        assertThat(reload(replaced(good, "X-Csrf-Token", "1.x")).status()).isEqualTo(403);
        assertThat(reload(replaced(good, "X-Csrf-Token", console.ownPage(caller("operator"))[csrfAt(good)]))
                        .status())
                .isEqualTo(403);
        assertThat(reload(replaced(good, "Content-Type", "text/plain")).status())
                .isEqualTo(415);
        assertThat(reload(with(good, "Sec-Fetch-Site", "cross-site")).status()).isEqualTo(403);
        assertThat(reload(with(good, "Sec-Fetch-Site", "same-site")).status()).isEqualTo(403);
        assertThat(node.requests("POST /api/v1/reload")).hasSize(before);
        assertThat(reload(with(good, "Sec-Fetch-Site", "same-origin")).status()).isEqualTo(200);
        assertThat(node.requests("POST /api/v1/reload")).hasSize(before + 1);
    }

    private static ConsoleProcess.Answer reload(String... headers) {
        return console.send("POST", "/api/nodes/n1/reload", "{\"confirm\":\"n1\"}", headers);
    }

    private static int csrfAt(String[] headers) {
        return List.of(headers).indexOf("X-Csrf-Token") + 1;
    }

    private static String[] replaced(String[] headers, String name, String value) {
        String[] copy = headers.clone();
        copy[List.of(headers).indexOf(name) + 1] = value;
        return copy;
    }

    private static String[] with(String[] headers, String name, String value) {
        String[] copy = java.util.Arrays.copyOf(headers, headers.length + 2);
        copy[headers.length] = name;
        copy[headers.length + 1] = value;
        return copy;
    }

    @Test
    void anIdThatIsNoIdIsNotLookedUp() {
        for (String id : List.of("..%2f..", "N1", "-x", "x".repeat(64), "n1%00")) {
            assertThat(console.get("/api/nodes/" + id, caller("viewer")).status())
                    .as(id)
                    .isIn(400, 404);
        }
    }
}
