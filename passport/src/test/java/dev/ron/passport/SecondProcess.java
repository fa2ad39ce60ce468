package dev.ron.passport;

import com.sun.net.httpserver.HttpServer;
import dev.ron.kernel.time.Clock;
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
import java.util.concurrent.Executors;

/**
 * A verifier in a process of its own, which knows of an office only what it reads over HTTP.
 *
 * <p>It answers {@code /verify} with its verdict on the body and {@code /age} with the age of what it knows. Its clock is the
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
        RemoteVerifier verifier = new RemoteVerifier(args[0], args[1], args[2], clock);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                String token = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                String answer = exchange.getRequestURI().getPath().equals("/age")
                        ? Long.toString(verifier.ageSeconds())
                        : verifier.verdict(token, "GET", clock.now().getEpochSecond());
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
}
