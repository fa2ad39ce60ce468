package dev.ron.passport;

import dev.ron.http.client.ClientOptions;
import dev.ron.http.client.HttpClient;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.keys.IssuerKeys;
import dev.ron.service.keys.IssuerSource;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.RevocationFeed;
import dev.ron.token.keys.Tenants;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Follows an office over HTTP and decides from what it knows. */
final class RemoteVerifier implements AutoCloseable {
    private final EventLoops loops = new EventLoops("verifier", 1);
    private final HttpClient client = new HttpClient(
            loops,
            (host, port, deadline) -> List.of(new InetSocketAddress(host, port)),
            ClientTls.publicRoots(),
            ClientOptions.defaults().withTotalLimit(Duration.ofSeconds(10)).withMaxBodyBytes(RevocationFeed.MAX_BYTES),
            Meter.none());
    private final Shutdown shutdown = new Shutdown(Clock.system(), Meter.none(), () -> Duration.ofSeconds(20));
    private final TokenVerifier verifier =
            new TokenVerifier(VerifierConfig.of("svc-demo"), Signatures.portable(), new SignatureCache(1 << 20));
    private final RecordingMeter meter = new RecordingMeter();
    private final IssuerKeys keys;

    RemoteVerifier(String issuer, String base, String feedKey, Clock clock) {
        IssuerSource source = new IssuerSource(issuer, base, () -> Optional.of(feedKey), Tenants.ALL);
        keys = new IssuerKeys(source, client, clock, meter);
        Kernel kernel = new Kernel(
                Topology.of("verifier", "a verifier", IssuerKeys.TASK),
                clock,
                Meter.none(),
                Backoff.Policy.DEFAULT,
                crash -> {});
        kernel.attach(shutdown);
        kernel.spawn(IssuerKeys.TASK, keys::run);
    }

    String verdict(String token, String method, long now) {
        RequestContext request = RequestContext.at(now).method(method).build();
        return verifier.verify(token, request, keys.state()) instanceof Decision.Deny deny
                ? deny.reason().wire()
                : "allow";
    }

    /** How often the issuer could not be heard, or was not believed. */
    long failures() {
        return meter.count("auth_jwks_refresh_total", "result", "error");
    }

    long ageSeconds() {
        return keys.ageSeconds();
    }

    @Override
    public void close() {
        shutdown.request("test", "done");
        shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
        client.close();
        loops.close();
    }
}
