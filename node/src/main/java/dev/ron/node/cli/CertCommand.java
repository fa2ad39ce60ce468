package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.cert.DevCertificates;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron cert}: certificates for trying TLS out. */
@Command(
        name = "cert",
        description = "Make certificates for trying TLS out.",
        subcommands = {CertCommand.Dev.class})
final class CertCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** {@code ron cert dev}. */
    @Command(
            name = "dev",
            description = "Make a development authority, once, and a certificate under it; say how to use them.")
    static final class Dev implements Callable<Integer> {
        @Option(names = "--out", paramLabel = "FOLDER", description = "where (default: ${DEFAULT-VALUE})")
        Path out = Path.of("data", "tls");

        @Option(names = "--host", paramLabel = "NAME", description = "a host name or address; may be repeated")
        List<String> hosts = new ArrayList<>();

        @Option(names = "--client", paramLabel = "NAME", description = "also one for a client; may be repeated")
        List<String> clients = new ArrayList<>();

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            DevCertificates files = new DevCertificates(out, Instant.now());
            files.server(hosts.isEmpty() ? List.of("localhost", "127.0.0.1", "::1") : hosts);
            for (String client : clients) {
                files.client(client);
            }
            PrintWriter print = spec.commandLine().getOut();
            print.println("wrote " + files.certificate() + " and " + files.key() + "; trust " + files.authority());
            clients.forEach(name ->
                    print.println("wrote " + out.resolve(name + ".pem") + " and " + out.resolve(name + ".key")));
            print.println("for development only: whoever has " + out.resolve("ca.key") + " can be anyone to you");
            print.println();
            print.println("  ./ron up --set gateway.tls.enabled=true --set gateway.tls.cert_path=" + files.certificate()
                    + " --set gateway.tls.key_path=" + files.key());
            print.println("  curl --http2 --cacert " + files.authority() + " https://localhost:8080/demo/echo");
            print.println("a running node takes a new certificate with: ./ron reload");
            return ExitCode.OK.code();
        }
    }
}
