package dev.ron.passport;

import com.sun.net.httpserver.HttpServer;
import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.service.keys.IssuerSource;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.Tenants;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;

/**
 * A verifier in a process of its own, which knows of an office only what it reads over HTTP.
 *
 * <p>It answers {@code POST /verify} with its verdict and {@code GET /age} with the age of what it knows. Its clock is the
 * system's and as many seconds as a shared file says, so that two processes can live through the same ten minutes.
 */
final class SecondProcess {
    private SecondProcess() {}

    /** The seconds by which the clocks of all who share the file are ahead. */
    static final class SharedTime implements Clock {
        private final MappedByteBuffer seconds;

        SharedTime(Path file) throws IOException {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                seconds = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES);
            }
        }

        void pass(int more) {
            seconds.putLong(0, seconds.getLong(0) + more);
        }

        private Duration ahead() {
            return Duration.ofSeconds(seconds.getLong(0));
        }

        @Override
        public long nanos() {
            return Clock.system().nanos() + ahead().toNanos();
        }

        @Override
        public Instant now() {
            return Clock.system().now().plus(ahead());
        }

        @Override
        public void park(Object blocker, long untilNanos) {
            // Looks again soon: time may have jumped meanwhile.
            long soon = Clock.system().nanos() + Duration.ofMillis(20).toNanos();
            Clock.system().park(blocker, Math.min(untilNanos - ahead().toNanos(), soon));
        }
    }

    /** {@code iss base feed-key time-file port-file}. */
    public static void main(String[] args) throws Exception {
        SharedTime clock = new SharedTime(Path.of(args[3]));
        EventLoops loops = new EventLoops("verifier", 1);
        HttpClient client = new HttpClient(
                loops,
                (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
                ClientTls.publicRoots(TlsOptions.defaults()),
                ClientOptions.defaults().withTotalLimit(Duration.ofSeconds(10)),
                Meter.none());
        IssuerKeys keys = new IssuerKeys(
                new IssuerSource(args[0], args[1], () -> Optional.of(args[2]), Tenants.ALL),
                client,
                clock,
                Meter.none());
        Kernel kernel = new Kernel(
                Topology.of("verifier", "a verifier", IssuerKeys.TASK),
                clock,
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        kernel.attach(new Shutdown(Clock.system(), Meter.none(), () -> Duration.ofSeconds(5)));
        kernel.spawn(IssuerKeys.TASK, keys::run);
        TokenVerifier verifier =
                new TokenVerifier(VerifierConfig.of("svc-demo"), Signatures.portable(), new SignatureCache(1 << 20));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                String token = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                String answer = exchange.getRequestURI().getPath().equals("/age")
                        ? Long.toString(keys.ageSeconds())
                        : verdict(verifier, token, keys, clock);
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        Path port = Path.of(args[4]);
        Path part = port.resolveSibling("port.part");
        Files.writeString(part, Integer.toString(server.getAddress().getPort()));
        Files.move(part, port, StandardCopyOption.ATOMIC_MOVE);
        System.in.read(); // lives as long as its parent
        System.exit(0);
    }

    private static String verdict(TokenVerifier verifier, String token, IssuerKeys keys, Clock clock) {
        RequestContext request =
                RequestContext.at(clock.now().getEpochSecond()).method("GET").build();
        return verifier.verify(token, request, keys.state()) instanceof Decision.Deny deny
                ? deny.reason().wire()
                : "allow";
    }
}
