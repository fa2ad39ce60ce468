package dev.ron.admin.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.admin.ConsoleProcess;
import dev.ron.admin.FakeNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages in a real browser; what is claimed stands in {@code ui/test}. */
class PagesInBrowserTest {
    @TempDir
    Path folder;

    @Test
    void everyPageWorksInEveryThemeByKeyboardAndOffline() throws Exception {
        Suite suite = new Suite("pages-in-browser");
        suite.run("test/pages.test.mjs", Map.of());
        suite.types();
    }

    /** The node stops being ready once it was told to reload, so that the page has something to tell. */
    @Test
    void theRealConsoleShowsANodeActsOnItAndTellsWhatThatDid() throws Exception {
        try (FakeNode node = new FakeNode()) {
            node.on("/api/v1/reload", (peer, n) -> {
                node.says(
                        "/readyz",
                        503,
                        "{\"ready\":false,\"write_ready\":false,\"missing\":[\"kms\"],\"phase\":\"running\"}");
                peer.write(
                        "HTTP/1.1 202 X\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"accepted\":true}");
            });
            try (ConsoleProcess console = ConsoleProcess.with(
                    "admin.ui.read_only=false",
                    "admin.actions.enable_reload=true",
                    "admin.polling.metrics_interval=500ms",
                    "admin.polling.status_interval=500ms",
                    "admin.nodes.n1.base_url=" + node.url(),
                    "admin.nodes.n1.action_credential_file=" + credential())) {
                new Suite("real-console-in-browser")
                        .run("test/real.test.mjs", Map.of("RON_CONSOLE", "http://127.0.0.1:" + console.port()));
            }
            assertThat(node.requests("POST /api/v1/reload")).hasSize(1);
        }
    }

    private Path credential() throws IOException {
        Path file = folder.resolve("actor.secret");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, "actor");
    }
}
