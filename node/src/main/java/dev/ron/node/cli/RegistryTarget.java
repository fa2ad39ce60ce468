package dev.ron.node.cli;

import dev.ron.http.client.ClientRequest;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.StrictJson;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Which registry a command asks, and with which capability. */
final class RegistryTarget {
    private static final int PAGE = 1000;

    @Mixin
    NodeTarget node;

    @Option(names = "--registry-url", paramLabel = "URL", description = "address of the registry")
    @Nullable
    String url;

    @Option(
            names = "--capability",
            paramLabel = "TOKEN",
            description = "token for writes (else RON_CAPABILITY, else one is issued with the client key)")
    @Nullable
    String capability;

    @Option(names = "--passport-url", paramLabel = "URL", description = "address of the passport office that issues it")
    @Nullable
    String passportUrl;

    String base() {
        return url == null ? node.listener("registry", "--registry-url") : NodeTarget.base(url, "--registry-url");
    }

    JsonNode get(String path) {
        return node.ask(ClientRequest.get(base() + path));
    }

    /** A descriptor with its version, or an empty document; one that was removed is there as its tombstone. */
    JsonNode descriptor(String id) {
        return node.find(base() + "/registry/descriptors/" + NodeTarget.quoted(id));
    }

    /** All items of a list, page by page. */
    List<JsonNode> items(String path) {
        List<JsonNode> all = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = get(path + "?limit=" + PAGE + cursor);
            page.path("items").forEach(all::add);
            String next = page.path("next").asString("");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        return all;
    }

    /** A write that needs this scope. */
    JsonNode post(String path, String scope, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return node.ask(
                ClientRequest.post(base() + path, "application/json", body)
                        .header("Authorization", "Bearer " + token(scope)),
                "a token for writes is given by --capability or RON_CAPABILITY");
    }

    private String token(String scope) {
        String environment = System.getenv("RON_CAPABILITY");
        if (capability != null || environment != null) {
            return capability != null ? capability : environment;
        }
        ObjectNode order = JsonMapper.shared()
                .createObjectNode()
                .put("subject_ref", user())
                .put("ttl_s", 60);
        order.putArray("audience").add("svc-registry");
        order.putArray("caveats").add("scope=" + scope);
        String office = passportUrl == null
                ? node.listener("passport", "--passport-url")
                : NodeTarget.base(passportUrl, "--passport-url");
        byte[] body = order.toString().getBytes(StandardCharsets.UTF_8);
        return node.ask(
                        ClientRequest.post(office + "/v1/passport/issue", "application/json", body)
                                .header("Authorization", "Bearer " + clientKey()),
                        "the client key is the first client's in --data DIR, else RON_CLIENT_KEY")
                .path("token")
                .asString("");
    }

    private static String user() {
        String name = System.getProperty("user.name", "cli");
        return name.matches("[A-Za-z0-9._-]{1,64}") ? name : "cli";
    }

    private String clientKey() {
        String environment = System.getenv("RON_CLIENT_KEY");
        if (environment != null) {
            return environment;
        }
        Path file = node.data.resolve("passport").resolve("bootstrap.key");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new Stop(
                    ExitCode.NO,
                    "no capability to write with",
                    "cannot read " + file + ": " + e.getClass().getSimpleName(),
                    "give one with --capability or RON_CAPABILITY, or a client key with RON_CLIENT_KEY or --data DIR");
        }
    }

    /** A part of an answer as the ledger reads it: strictly, so that what is shown is what is hashed. */
    static Json strict(JsonNode part, String what) {
        try {
            return StrictJson.BUNDLE.read(part.toString().getBytes(StandardCharsets.UTF_8), what);
        } catch (Refused e) {
            throw refused(e);
        }
    }

    /** The body of a descriptor as it is given to a command: JSON, or {@code @FILE}. */
    static Json.Obj body(String given) throws Refused, IOException {
        byte[] text = given.startsWith("@")
                ? Files.readAllBytes(Path.of(given.substring(1)))
                : given.getBytes(StandardCharsets.UTF_8);
        return Fields.object(StrictJson.HASHED.read(text, "--body"), "--body");
    }

    static Stop refused(Refused e) {
        return new Stop(
                ExitCode.NO,
                e.reason().wire().replace('_', ' '),
                e.detail(),
                "mend what is named; docs/guides/govern-config.md has whole examples");
    }

    /** What was typed makes no change that a log could hold. */
    static Stop malformed(CommandSpec spec, IllegalArgumentException e) {
        return new Stop(
                ExitCode.USAGE,
                spec.qualifiedName() + " cannot be done like this",
                String.valueOf(e.getMessage()),
                "see " + spec.qualifiedName() + " --help");
    }
}
