package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens as a newcomer meets them: a real node, the token it prints, and the path it opens. */
final class NodePassportTest {
    private static final Pattern TOKEN = Pattern.compile("TOKEN='(pct1~[^']+)'");

    @TempDir
    Path folder;

    // revoke | the same token at another service  ->  refused there without any call to the issuer
    @Test
    void thePrintedTokenOpensTheGuardedPathUntilItIsRevoked() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder)) {
            Matcher found = TOKEN.matcher(node.out());
            assertThat(found.find()).isTrue();
            String token = found.group(1);
            assertThat(node.get("demo", "/guarded"))
                    .startsWith("HTTP/1.1 401")
                    .containsIgnoringCase("www-authenticate: Bearer");
            Eventually.await(
                    "the demo has heard the issuer", () -> guarded(node, token).startsWith("HTTP/1.1 200"));
            String key = Files.readString(folder.resolve("data/passport/bootstrap.key"))
                    .strip();
            String body = "{\"token\":\"" + token + "\"}";
            String revoked = call(node, "passport", "/v1/passport/revoke", key, body);
            assertThat(revoked).startsWith("HTTP/1.1 200").contains("\"seq\":1");
            Eventually.await("the revocation", () -> guarded(node, token).contains("\"reason\":\"revoked\""));
            assertThat(node.err()).doesNotContain(token, key);
        }
    }

    @Test
    void theGatewayLeadsToTheOfficeAndToItsKeys() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder)) {
            String key = Files.readString(folder.resolve("data/passport/bootstrap.key"))
                    .strip();
            String keys = node.get("gateway", "/.well-known/jwks.json");
            Matcher tag = Pattern.compile("(?i)etag: (\"[^\"]+\")").matcher(keys);
            assertThat(keys).startsWith("HTTP/1.1 200").contains("\"keys\"");
            assertThat(tag.find()).isTrue();
            assertThat(node.exchange(
                            "gateway",
                            "GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                    + "If-None-Match: " + tag.group(1) + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 304");
            String order = "{\"subject_ref\":\"ann\",\"tenant\":\"acme\",\"audience\":[\"svc-demo\"]}";
            assertThat(call(node, "gateway", "/v1/passport/issue", key, order))
                    .startsWith("HTTP/1.1 200")
                    .contains("pct1~");
            assertThat(call(node, "gateway", "/v1/passport/issue", "no-key", order))
                    .startsWith("HTTP/1.1 401");
        }
    }

    private static String call(NodeProcess node, String service, String path, String key, String body) {
        return node.exchange(
                service,
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Type: application/json\r\nAuthorization: Bearer " + key + "\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    private static String guarded(NodeProcess node, String token) {
        return node.exchange(
                "demo",
                "GET /guarded HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + token
                        + "\r\n\r\n");
    }

    @Test
    void withoutADemoAMissingPassphraseEndsTheStartWithTwo() throws IOException {
        Files.writeString(folder.resolve("ron.toml"), "[node]\nport_base = 0\n");
        try (NodeProcess node = NodeProcess.start(folder, "up")) {
            assertThat(node.exitCode()).isEqualTo(ExitCode.BAD_CONFIG.code());
            assertThat(node.err()).contains("there is no passphrase", "passport.kms.passphrase_file");
        }
    }
}
