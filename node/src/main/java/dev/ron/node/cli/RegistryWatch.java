package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.concurrent.Callable;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ron registry watch}: prints commits as they happen, until Ctrl-C. */
@Command(name = "watch", description = "Print every commit as it happens.")
final class RegistryWatch implements Callable<Integer> {
    private static final int CONNECT_MS = 10_000;
    /** Two heartbeats, as far apart as they may be configured, and some. */
    private static final int SILENCE_MS = 130_000;

    @Mixin
    RegistryTarget registry;

    @Option(names = "--since", paramLabel = "VERSION", description = "begin after this version")
    @Nullable
    Long since;

    @Option(names = "--count", paramLabel = "N", description = "stop after so many")
    long count = Long.MAX_VALUE;

    @Option(names = "--json", description = "print the events as they are")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        URI uri = URI.create(registry.base() + "/registry/stream" + (since == null ? "" : "?since=" + since));
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(SILENCE_MS);
        if (connection instanceof HttpsURLConnection secure && registry.node.ca != null) {
            secure.setSSLSocketFactory(trusting(registry.node.ca));
        }
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            if (read(lines, spec.commandLine().getOut())) {
                return ExitCode.OK.code();
            }
            throw new Stop(
                    ExitCode.NO,
                    "the stream of " + uri + " ended",
                    "the registry closed it, as when its node drains",
                    "watch again when it is back: --since VERSION begins after the last one that was seen");
        } catch (IOException e) {
            throw new Stop(
                    ExitCode.NO,
                    "the stream of " + uri + " ended",
                    e.toString(),
                    "start a node with ./ron up, or say where it is: --port-base N or --url URL");
        }
    }

    private static SSLSocketFactory trusting(Path roots) throws IOException {
        try (InputStream pem = Files.newInputStream(roots)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate root : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                trusted.setCertificateEntry("root-" + trusted.size(), root);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(roots + " holds no certificates that can be used", e);
        }
    }

    /** Whether all was read that was wanted, or nobody reads any more; otherwise the stream came to its end. */
    private boolean read(BufferedReader lines, PrintWriter out) throws IOException {
        String event = "";
        long shown = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event: ")) {
                event = line.substring(7);
            } else if (line.startsWith("data: ") && !event.equals("heartbeat")) {
                out.println(json ? line.substring(6) : event.replace("registry.", "") + " " + line.substring(6));
                shown += event.equals("registry.update") ? 1 : 0;
                if (out.checkError() || shown >= count) {
                    return true;
                }
            }
        }
        return false;
    }
}
