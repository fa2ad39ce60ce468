package dev.ron.node.cli;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.ClientResponse;
import dev.ron.http.client.HttpClient;
import dev.ron.http.json.StrictJson;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.BadTlsFile;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.node.ExitCode;
import dev.ron.node.Ports;
import dev.ron.node.Stop;
import dev.ron.node.data.OperatorToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which running node a command talks to, and with which credential. */
final class NodeTarget implements AutoCloseable {
    @Option(names = "--port-base", paramLabel = "N", description = "first of the node's ports (default: 8080)")
    int portBase = Ports.DEFAULT_BASE;

    @Option(names = "--url", paramLabel = "URL", description = "address of the node's ops plane")
    @Nullable
    String url;

    @Option(names = "--data", paramLabel = "DIR", description = "data folder that holds the operator credential")
    Path data = Path.of("data");

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "file that holds the operator credential (else RON_TOKEN, else --data)")
    @Nullable
    Path tokenFile;

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "the operator credential itself; everybody on this machine can read it: better --token-file")
    @Nullable
    String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "certificates that https addresses are checked with (else those that Java trusts)")
    @Nullable
    Path ca;

    private @Nullable JsonNode listeners;
    private @Nullable Line line;

    /**
     * The address of a service's listener.
     *
     * <p>The node says which port and scheme, but the host is the one that the user named, or where that is this machine
     * another address of it: what answers there cannot have credentials sent elsewhere, nor in the clear where the user
     * asked for https.
     *
     * @param flag what names the address where the node cannot
     */
    String listener(String name, String flag) {
        URI named = URI.create(ops());
        String said = listeners().path(name).asString("");
        if (said.isEmpty()) {
            throw new Stop(
                    ExitCode.NO,
                    "the node at " + named + " has no " + name,
                    "its listeners: " + String.join(", ", listeners().propertyNames()),
                    "say where one is: " + flag + " URL");
        }
        return there(named, said, name, flag);
    }

    static String there(URI named, String said, String name, String flag) {
        URI there = URI.create(base(said, "listeners." + name));
        if (named.getScheme().equals("https") && !there.getScheme().equals("https")) {
            throw new Stop(
                    ExitCode.NO,
                    "the " + name + " at " + named.getHost() + " speaks no TLS",
                    "--url asks for https, and what is sent there is secret",
                    "if that is meant, say where it is: " + flag + " URL");
        }
        return there.getScheme() + "://" + host(named.getHost(), there.getHost(), name, flag) + ":" + there.getPort();
    }

    /** A service may listen on one address of this machine only, where the ops plane is on another. */
    private static String host(String named, String said, String name, String flag) {
        Optional<InetAddress> asked = literal(named).filter(InetAddress::isLoopbackAddress);
        Optional<InetAddress> there = literal(said);
        if (asked.isEmpty()
                || asked.equals(there)
                || there.filter(InetAddress::isAnyLocalAddress).isPresent()) {
            return named;
        }
        if (there.filter(NodeTarget::isOfThisMachine).isPresent()) {
            return said;
        }
        throw new Stop(
                ExitCode.NO,
                "the " + name + " listens on " + said,
                "that is no address of this machine, and credentials go nowhere that was not named",
                "if it is meant, say where it is: " + flag + " URL");
    }

    /** What an address says by itself: no name is looked up, for what it leads to could change in between. */
    private static Optional<InetAddress> literal(String host) {
        try {
            return Optional.of(
                    host.equals("localhost")
                            ? InetAddress.getLoopbackAddress()
                            : InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException _) {
            return false;
        }
    }

    private JsonNode listeners() {
        JsonNode known = listeners;
        if (known == null) {
            known = get("/api/v1/status").path("listeners");
            listeners = known;
        }
        return known;
    }

    private String ops() {
        if (url != null) {
            return base(url, "--url");
        }
        if (portBase < 1 || portBase > Ports.MAX_BASE) {
            throw new Stop(
                    ExitCode.USAGE,
                    "--port-base: " + portBase,
                    "no node can be found there (expected: 1.." + Ports.MAX_BASE + ")",
                    "ron up says where its ops plane is; name it with --url URL");
        }
        return "http://127.0.0.1:" + new Ports(portBase).of("ops");
    }

    /** What was typed, as a part of a path: whatever an address cannot hold is quoted. */
    static String quoted(String typed) {
        try {
            return new URI(null, null, "/" + typed, null).toASCIIString().substring(1);
        } catch (URISyntaxException e) {
            throw new Stop(
                    ExitCode.USAGE, "'" + typed + "' cannot be looked up", e.getReason(), "check what was typed");
        }
    }

    /** An address to put paths behind. */
    static String base(String address, String flag) {
        try {
            URI uri = new URI(address.replaceFirst("/+$", ""));
            if (uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
                return uri.toString();
            }
        } catch (URISyntaxException _) {
            // told below
        }
        throw new Stop(
                ExitCode.USAGE,
                flag + ": " + address,
                "is not the address of a server",
                "write it like http://127.0.0.1:8085");
    }

    JsonNode get(String path) {
        return json(send(ClientRequest.get(ops() + path)));
    }

    /** A page of the ops plane as it is. */
    String page(String path) {
        return text(ClientRequest.get(ops() + path));
    }

    /** Asks for an action, as the operator. */
    JsonNode post(String path) {
        return post(path, "{}");
    }

    /** Asks for an action with a body, as the operator. */
    JsonNode post(String path, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return json(send(ClientRequest.post(ops() + path, "application/json", body)
                .header("Authorization", "Bearer " + credential())));
    }

    /** Looks something up; an answer that there is none is an empty document, one that it is gone says what is left. */
    JsonNode find(String address) {
        ClientResponse response = send(ClientRequest.get(address));
        return switch (response.status()) {
            case 404 -> JsonMapper.shared().createObjectNode();
            case 410 -> new StrictJson().tree(response.body());
            default -> json(response);
        };
    }

    /** The body of an answer as it is. */
    String text(ClientRequest request) {
        ClientResponse response = send(request);
        if (response.status() >= 400) {
            json(response);
        }
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** Sends any request; an answer that is a refusal ends the command. */
    JsonNode ask(ClientRequest request) {
        return json(send(request));
    }

    /** The same, with a credential of another kind than the operator's. */
    JsonNode ask(ClientRequest request, String whereTheCredentialIs) {
        return json(send(request), whereTheCredentialIs);
    }

    private ClientTls tls() {
        try {
            return ca == null ? ClientTls.publicRoots() : ClientTls.trusting(ca, TlsOptions.defaults());
        } catch (BadTlsFile bad) {
            throw new Stop(
                    ExitCode.USAGE,
                    "--ca cannot be used",
                    String.valueOf(bad.getMessage()),
                    "name a PEM file with the certificates to trust");
        }
    }

    /** What all requests of a command go out with. */
    private record Line(EventLoops loops, ClientTls tls, HttpClient client) {
        static Line open(ClientTls tls) {
            EventLoops loops = new EventLoops("cli", 1);
            return new Line(
                    loops,
                    tls,
                    new HttpClient(
                            loops,
                            (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
                            tls,
                            ClientOptions.defaults(),
                            Meter.none()));
        }

        void close() {
            client.close();
            loops.close();
            tls.close();
        }
    }

    private Line line() {
        Line open = line;
        if (open == null) {
            open = Line.open(tls());
            line = open;
        }
        return open;
    }

    /** Ends what the command's requests left open. */
    @Override
    public void close() {
        Line open = line;
        if (open != null) {
            open.close();
            line = null;
        }
    }

    private ClientResponse send(ClientRequest request) {
        try {
            return line().client().send(request);
        } catch (RonException e) {
            if (e.code() != Code.UPSTREAM_CONNECT) {
                throw e;
            }
            throw new Stop(
                    ExitCode.NO,
                    "no node answers at " + request.target(),
                    e.detail(),
                    e.detail().contains("TLS")
                            ? "say whom to trust with --ca FILE, or use http:// where it speaks no TLS"
                            : "start one with ./ron up, or say where it is: --port-base N or --url URL");
        }
    }

    private static JsonNode json(ClientResponse response) {
        return json(response, "the credential is in <data>/operator.token: --data DIR, --token-file or RON_TOKEN");
    }

    private static JsonNode json(ClientResponse response, String whereTheCredentialIs) {
        JsonNode body = tree(response);
        if (response.status() >= 400 && !body.has("ready")) {
            throw new Stop(
                    ExitCode.NO,
                    body.path("title").asString("refused") + " (" + response.status() + ")",
                    body.path("detail").asString(""),
                    response.status() == 401
                            ? whereTheCredentialIs
                            : "correlation id " + body.path("corr_id").asString("unknown"));
        }
        return body;
    }

    private static JsonNode tree(ClientResponse response) {
        try {
            return new StrictJson().tree(response.body());
        } catch (RonException e) {
            throw new Stop(
                    ExitCode.NO,
                    "what answers there is no node",
                    "it sent no JSON, with status " + response.status(),
                    "check the address: --url is that of the ops plane, port base + 5");
        }
    }

    private String credential() {
        if (token != null) {
            return token;
        }
        String environment = System.getenv("RON_TOKEN");
        if (tokenFile == null && environment != null) {
            return environment;
        }
        Path file = tokenFile == null ? OperatorToken.file(data) : tokenFile;
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new Stop(
                    ExitCode.NO,
                    "no operator credential",
                    "cannot read " + file + ": " + e.getClass().getSimpleName(),
                    "say where it is: --data DIR, --token-file FILE or RON_TOKEN");
        }
    }
}
