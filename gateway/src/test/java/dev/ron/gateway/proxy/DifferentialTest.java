package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.server.MalformedRequests;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.GoldenFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same malformed requests through nginx, HAProxy and the gateway: what each answers, and whether a request came out at
 * the back. The table is printed; {@code -Dron.golden=write} keeps it as docs/design/differential.md.
 */
class DifferentialTest {
    private static final int QUIET_MILLIS = 400;
    private static final List<MalformedRequests.Case> CASES = MalformedRequests.all();

    @TempDir
    Path folder;

    private final List<Process> peers = new ArrayList<>();

    @AfterEach
    void stop() {
        peers.forEach(Process::destroy);
    }

    @Test
    void theGatewayLetsNothingThroughThatItRefuses() throws Exception {
        boolean both =
                Files.isExecutable(Path.of("/usr/sbin/nginx")) && Files.isExecutable(Path.of("/usr/sbin/haproxy"));
        Assumptions.assumeTrue(both, "nginx and haproxy are not both installed: the table of differences is skipped");
        // Each has a back of its own, so that all three can be asked side by side.
        try (Back first = new Back();
                Back second = new Back();
                Back third = new Back();
                TestGateway gateway = TestGateway.to("", third.server.port());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            int nginx = nginx(first.server.port());
            int haproxy = haproxy(second.server.port());
            Future<List<Outcome>> ofNginx = threads.submit(() -> first.outcomes(nginx));
            Future<List<Outcome>> ofHaproxy = threads.submit(() -> second.outcomes(haproxy));
            Future<List<Outcome>> ofGateway = threads.submit(() -> third.outcomes(gateway.port()));
            StringBuilder table = new StringBuilder("""
                    # How malformed requests are read, beside nginx and HAProxy

                    Written by DifferentialTest. Each cell: the status, and whether a request came out at the back.
                    A request that one proxy refuses and another passes on is where smuggling begins.

                    | request | nginx | HAProxy | RON |
                    | --- | --- | --- | --- |
                    """);
            List<String> passed = new ArrayList<>();
            for (int i = 0; i < CASES.size(); i++) {
                String name = CASES.get(i).name();
                Outcome ours = ofGateway.get().get(i);
                table.append("| %s | %s | %s | %s |\n"
                        .formatted(
                                name.replace("|", "\\|"),
                                ofNginx.get().get(i),
                                ofHaproxy.get().get(i),
                                ours));
                if (ours.through()) {
                    passed.add(name);
                }
            }
            System.out.println(table);
            if ("write".equals(System.getProperty("ron.golden"))) {
                GoldenFile.of("design/differential.md").matches(table.toString());
            }
            assertThat(passed).isEmpty();
        }
    }

    /** What a proxy made of a request. */
    private record Outcome(String status, boolean through) {
        @Override
        public String toString() {
            return status + (through ? " **passed**" : "");
        }
    }

    /** What stands behind one proxy, and counts what comes out of it. */
    private static final class Back implements AutoCloseable {
        private final AtomicInteger seen = new AtomicInteger();
        private final RawServer server = new RawServer((peer, number) -> {
            while (wholeRequest(peer)) {
                seen.incrementAndGet();
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });

        List<Outcome> outcomes(int proxy) throws IOException {
            List<Outcome> all = new ArrayList<>();
            for (MalformedRequests.Case bad : CASES) {
                seen.set(0);
                String status = ask(proxy, bad.bytes());
                all.add(new Outcome(status, seen.get() > 0));
            }
            return all;
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** Only what is complete counts: a head whose body never ends is no request. */
    private static boolean wholeRequest(RawServer.Peer peer) throws IOException {
        String head = peer.readRequest();
        if (!head.toLowerCase(Locale.ROOT).contains("transfer-encoding:")) {
            return !head.isEmpty();
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        InputStream in = peer.socket().getInputStream();
        Pattern end = Pattern.compile("(^|\r\n)0[^\r]*\r\n([^\r]+\r\n)*\r\n$");
        for (int c = in.read(); c >= 0; c = in.read()) {
            body.write(c);
            if (c == '\n'
                    && end.matcher(body.toString(StandardCharsets.ISO_8859_1)).find()) {
                return true;
            }
        }
        return false;
    }

    /** The status that comes back, or how the connection ended; waits only until it is quiet. */
    private static String ask(int port, String bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(QUIET_MILLIS);
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
                InputStream in = socket.getInputStream();
                for (int c = in.read(); c >= 0; c = in.read()) {
                    answer.write(c);
                }
            } catch (SocketTimeoutException quiet) {
                // kept open
            } catch (IOException reset) {
                // as good as closed
            }
            String text = answer.toString(StandardCharsets.ISO_8859_1);
            return text.startsWith("HTTP/1.") && text.length() > 12
                    ? text.substring(9, 12)
                    : text.isEmpty() ? "none" : "0.9";
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private int nginx(int back) throws Exception {
        int port = freePort();
        Path config = folder.resolve("nginx.conf");
        Files.writeString(config, """
                daemon off; master_process off; worker_processes 1; pid %1$s/nginx.pid; error_log %1$s/error.log;
                events { worker_connections 64; }
                http {
                  access_log off; client_body_temp_path %1$s; proxy_temp_path %1$s; fastcgi_temp_path %1$s;
                  uwsgi_temp_path %1$s; scgi_temp_path %1$s;
                  server { listen 127.0.0.1:%2$d; location / {
                    proxy_pass http://127.0.0.1:%3$d; proxy_http_version 1.1; proxy_set_header Connection ""; } }
                }
                """.formatted(folder, port, back));
        run(port, "/usr/sbin/nginx", "-c", config.toString());
        return port;
    }

    private int haproxy(int back) throws Exception {
        int port = freePort();
        Path config = folder.resolve("haproxy.cfg");
        Files.writeString(config, """
                defaults
                  mode http
                  timeout connect 1s
                  timeout client 5s
                  timeout server 5s
                frontend front
                  bind 127.0.0.1:%d
                  default_backend back
                backend back
                  server one 127.0.0.1:%d
                """.formatted(port, back));
        run(port, "/usr/sbin/haproxy", "-db", "-f", config.toString());
        return port;
    }

    private void run(int port, String... command) throws Exception {
        Process peer = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out-" + port).toFile())
                .start();
        peers.add(peer);
        Eventually.await(command[0] + " listens", () -> {
            try (Socket open = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return open.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }
}
