package dev.ron.node.cli;

import dev.ron.http.client.ClientRequest;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Which passport office a command asks, and as which client. */
final class ClientKey {
    @Mixin
    NodeTarget node;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "file that holds the client key (else RON_CLIENT_KEY, else --data)")
    @Nullable
    Path keyFile;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "the client key itself; everybody on this machine can read it: better --key-file")
    @Nullable
    String key;

    @Option(names = "--passport-url", paramLabel = "URL", description = "address of the passport office")
    @Nullable
    String url;

    JsonNode post(String path, String json) {
        String base =
                url == null ? node.listener("passport", "--passport-url") : NodeTarget.base(url, "--passport-url");
        return node.ask(
                ClientRequest.post(base + path, "application/json", json.getBytes(StandardCharsets.UTF_8))
                        .header("Authorization", "Bearer " + credential()),
                "the client key is given by --key-file or RON_CLIENT_KEY; ./ron client add NAME --tenant T makes one");
    }

    private String credential() {
        if (key != null) {
            return key;
        }
        String environment = System.getenv("RON_CLIENT_KEY");
        if (keyFile == null && environment != null) {
            return environment;
        }
        Path file = keyFile == null ? node.data.resolve("passport").resolve("bootstrap.key") : keyFile;
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new Stop(
                    ExitCode.NO,
                    "no client key",
                    "cannot read " + file + ": " + e.getClass().getSimpleName(),
                    "make one with ./ron client add NAME --tenant T, then use --key-file or RON_CLIENT_KEY");
        }
    }
}
