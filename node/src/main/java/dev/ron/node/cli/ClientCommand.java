package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.token.caveat.Binding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code ron client}: who may ask the passport office of a running node. */
@Command(
        name = "client",
        description = "Add and remove clients that may ask for tokens.",
        subcommands = {ClientCommand.Add.class, ClientCommand.Remove.class})
final class ClientCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** {@code ron client remove}. */
    @Command(
            name = "remove",
            description = {
                "Remove a client: its key or certificate opens nothing any more.",
                "Tokens it was given live on until they end or are revoked."
            })
    static final class Remove implements Callable<Integer> {
        @Mixin
        NodeTarget node;

        @Parameters(paramLabel = "NAME", description = "name of the client")
        String name = "";

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            ObjectNode body = JsonMapper.shared().createObjectNode().put("id", name);
            JsonNode answer = node.post("/api/v1/passport/clients/remove", body.toString());
            spec.commandLine().getOut().println("removed " + answer.path("id").asString(""));
            return ExitCode.OK.code();
        }
    }

    /** {@code ron client add}. */
    @Command(name = "add", description = "Add a client and print its key, which is shown once.")
    static final class Add implements Callable<Integer> {
        @Mixin
        NodeTarget node;

        @Parameters(paramLabel = "NAME", description = "name of the client")
        String name = "";

        @Option(names = "--tenant", paramLabel = "T", required = true, description = "tenant it speaks for; repeatable")
        List<String> tenants = new ArrayList<>();

        @Option(
                names = "--right",
                paramLabel = "R",
                description = "issue, verify, introspect or revoke; repeatable (default: issue, verify)")
        List<String> rights = new ArrayList<>();

        @Option(
                names = "--audience",
                paramLabel = "SVC",
                description =
                        "only tokens for this service, * for any; repeatable (default: any but svc-registry, svc-admin)")
        List<String> audiences = new ArrayList<>();

        @Option(
                names = "--cert",
                paramLabel = "FILE",
                description = "known by this certificate (PEM) over TLS, instead of by a key")
        @Nullable
        Path certificate;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            ObjectNode body = JsonMapper.shared().createObjectNode().put("id", name);
            tenants.forEach(body.putArray("tenants")::add);
            if (!rights.isEmpty()) {
                rights.forEach(body.putArray("rights")::add);
            }
            if (!audiences.isEmpty()) {
                audiences.forEach(body.putArray("audiences")::add);
            }
            if (certificate != null) {
                body.put("cert_sha256", thumbprint(certificate));
            }
            JsonNode answer = node.post("/api/v1/passport/clients", body.toString());
            spec.commandLine()
                    .getOut()
                    .println(
                            certificate == null
                                    ? answer.path("key").asString("")
                                    : "known by certificate "
                                            + answer.path("cert_sha256").asString(""));
            return ExitCode.OK.code();
        }

        private static String thumbprint(Path file) {
            try (InputStream in = Files.newInputStream(file)) {
                return Binding.thumbprint((X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(in));
            } catch (IOException | CertificateException e) {
                throw new Stop(
                        ExitCode.USAGE,
                        "--cert: " + file,
                        "cannot be read as a certificate: " + e.getClass().getSimpleName(),
                        "expected: a PEM file with the client's own certificate first");
            }
        }
    }
}
