package dev.ron.bench.passport;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
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
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The second process: a verifier that holds many tokens and notes when each of them stops being good.
 *
 * <p>Arguments: address of the office, its issuer name, its client key, the file with the tokens, the file for the times.
 * It prints a line once every token is good, and ends when none is.
 */
final class Watcher {
    private final TokenVerifier verifier =
            new TokenVerifier(VerifierConfig.of("svc-demo"), Signatures.best(), new SignatureCache(256L << 20));
    private final IssuerKeys keys;

    private Watcher(IssuerKeys keys) {
        this.keys = keys;
    }

    public static void main(String[] args) throws Exception {
        Clock clock = Clock.system();
        HttpClient client = new HttpClient(
                new EventLoops("watcher", 1),
                (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
                ClientTls.publicRoots(),
                ClientOptions.defaults().withTotalLimit(Duration.ofSeconds(30)),
                Meter.none());
        IssuerKeys keys = new IssuerKeys(
                new IssuerSource(args[1], args[0], () -> Optional.of(args[2]), Tenants.ALL),
                client,
                clock,
                Meter.none());
        Kernel kernel = new Kernel(
                Topology.of("watcher", "A verifier.", IssuerKeys.TASK),
                clock,
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        kernel.spawn(IssuerKeys.TASK, keys::run);
        new Watcher(keys).watch(Files.readAllLines(Path.of(args[3])), Path.of(args[4]));
        System.exit(0);
    }

    private void watch(List<String> tokens, Path times) throws Exception {
        for (String token : tokens) {
            while (!good(token)) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
        System.out.println("watching");
        System.out.flush();
        long[] refusedAt = new long[tokens.size()];
        int left = tokens.size();
        while (left > 0) {
            for (int i = 0; i < refusedAt.length; i++) {
                if (refusedAt[i] == 0 && !good(tokens.get(i))) {
                    refusedAt[i] = System.nanoTime();
                    left--;
                }
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        List<String> lines = new ArrayList<>();
        for (long at : refusedAt) {
            lines.add(Long.toString(at));
        }
        Files.write(times, lines);
    }

    private boolean good(String token) {
        RequestContext request = RequestContext.at(System.currentTimeMillis() / 1000)
                .method("GET")
                .path("/demo/x")
                .build();
        return verifier.verify(token, request, keys.state()) instanceof Decision.Allow;
    }
}
