package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.OfficeProcess.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An office that was set up again from a backup has counted less than its verifiers have heard. */
@Timeout(120)
class RestoredOfficeTest {
    private static final String ISSUER = "passport.issuer=https://office.test";

    private final AtomicReference<Optional<OfficeProcess>> open = new AtomicReference<>(Optional.empty());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer door;

    /** One address, whichever office is behind it; where there is none, nobody answers. */
    @BeforeEach
    void listen() throws IOException {
        door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        door.setExecutor(threads);
        door.createContext("/", this::pass);
        door.start();
    }

    @AfterEach
    void stop() {
        door.stop(0);
        threads.shutdownNow();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional<OfficeProcess> office = open.get();
            if (office.isPresent()) {
                List<String> credential = exchange.getRequestHeaders().getOrDefault("Authorization", List.of());
                Answer answer = credential.isEmpty()
                        ? office.get().get(exchange.getRequestURI().toString())
                        : office.get().get(exchange.getRequestURI().toString(), "Authorization", bearer(office.get()));
                byte[] body = answer.raw().body();
                exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    private static String bearer(OfficeProcess office) {
        return "Bearer " + office.service().ownKey().reveal();
    }

    private static long now() {
        return Clock.system().now().getEpochSecond();
    }

    // a verifier at 2 | the office is lost, comes back from a backup at 0 and revokes two others  ->  both are heard
    @Test
    void whatARestoredOfficeRevokesIsHeardThoughItsNumbersWereHeardBefore(@TempDir Path top) throws Exception {
        Path folder = Files.createDirectory(top.resolve("office"));
        OfficeProcess.in(folder, ISSUER).close();
        Path backup = copy(folder, top.resolve("backup"));
        try (RemoteVerifier verifier = new RemoteVerifier(
                "https://office.test", "http://127.0.0.1:" + door.getAddress().getPort(), "whoever", Clock.system())) {
            try (OfficeProcess first = OfficeProcess.in(folder, ISSUER)) {
                open.set(Optional.of(first));
                revokeTwo(first, verifier);
                open.set(Optional.empty());
                long before = verifier.failures();
                Eventually.await("the loss", () -> verifier.failures() > before);
            }
            try (OfficeProcess again = OfficeProcess.in(backup, ISSUER)) {
                List<String> tokens = List.of(again.issue(), again.issue());
                tokens.forEach(token -> again.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}"));
                assertThat(again.service().state().seq()).isEqualTo(2);
                open.set(Optional.of(again));
                for (String token : tokens) {
                    Eventually.await(
                            "the revocation",
                            () -> verifier.verdict(token, "GET", now()).equals("revoked"));
                }
                open.set(Optional.empty());
            }
        }
    }

    private static void revokeTwo(OfficeProcess office, RemoteVerifier verifier) {
        for (int i = 0; i < 2; i++) {
            String token = office.issue();
            Eventually.await(
                    "the token", () -> verifier.verdict(token, "GET", now()).equals("allow"));
            office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}");
            Eventually.await(
                    "the revocation",
                    () -> verifier.verdict(token, "GET", now()).equals("revoked"));
        }
    }

    // since 100 of an office at 0, ready to wait  ->  the whole set at once: the wait is longer than the patience here
    @Test
    @Timeout(20)
    void whoIsAheadOfTheOfficeGetsTheWholeSetWithoutWaiting() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            Answer answer = office.get("/v1/passport/revocations?since=100&wait=25", "Authorization", bearer(office));
            assertThat(answer.body().path("full").asBoolean()).isTrue();
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
        return to;
    }
}
