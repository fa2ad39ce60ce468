package dev.ron.passport.api;

import dev.ron.http.guard.Guard;
import dev.ron.http.guard.InflightGuard;
import dev.ron.http.guard.RateGuard;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.Routes;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.audit.Auditor;
import dev.ron.passport.issue.Minted;
import dev.ron.passport.issue.Order;
import dev.ron.passport.office.Command;
import dev.ron.passport.office.Feed;
import dev.ron.passport.office.OfficeState;
import dev.ron.passport.policy.Policy;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.verify.PqMode;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The routes of the public listener. */
public final class PassportApi {
    private static final String KEYS = "/.well-known/jwks.json";

    private final Parts parts;
    private final Inspector inspector;
    private final Door door;
    private final PublicEndpoints open;

    /** What the endpoints stand on. */
    public record Parts(
            Supplier<OfficeState> office,
            Supplier<PqMode> pq,
            Supplier<JwtAlg> jwtAlg,
            Supplier<Optional<Policy>> policy,
            Feed feed,
            Watch<Long> news,
            FeedReaders readers,
            FeedReaders ownReaders,
            Lane verify,
            Counter<Order, Minted> issue,
            Counter<Command, Command.Receipt> revoke,
            IntSupplier maxBatch,
            Auditor auditor,
            SecureRandom random,
            Clock clock,
            Meter meter) {}

    public PassportApi(Parts parts) {
        this.parts = parts;
        this.inspector = new Inspector(parts.office(), parts.pq(), parts.verify());
        this.door = new Door(parts.office(), inspector, parts.clock());
        this.open = new PublicEndpoints(
                parts.office(), parts.pq(), parts.jwtAlg(), parts.feed(), parts.news(), door, parts.clock());
    }

    /**
     * What verifiers read, once more on the ops plane: services of the same process ask there, whatever certificates the
     * office shows and asks for, and however busy its callers and readers keep it. {@code live} gives the office once it is up.
     */
    public static void addForVerifiers(Routes routes, Supplier<PassportApi> live) {
        routes.get(KEYS, blocking(request -> live.get().open.jwks(request)));
        addFeed(routes, request -> {
            PassportApi api = live.get();
            return api.open.revocations(request, api.parts.ownReaders());
        });
    }

    /** @param signing bounds the requests that may wait for a signature, so that the others find room meanwhile */
    public Routes routes(HostConfig config, TokenBucket rate, Permits inflight, Permits signing) {
        RateGuard paced = new RateGuard(rate, "passport.limits.rps");
        Routes routes = new Routes(config, paced, new InflightGuard(inflight));
        Idempotency once = new Idempotency(parts.clock(), parts.meter());
        IssueEndpoint issue = new IssueEndpoint(door, parts.issue(), once, parts.clock());
        VerifyEndpoints verify =
                new VerifyEndpoints(door, inspector, parts.clock(), parts.issue(), parts.maxBatch(), parts.random());
        RevokeEndpoint revoke = new RevokeEndpoint(
                parts.office(), door, inspector, parts.revoke(), parts.auditor(), once, parts.clock());
        PolicyEndpoint policy = new PolicyEndpoint(door, parts.policy(), parts.clock());
        Guard mayWait = new InflightGuard(signing);
        routes.add(
                        List.of("POST"),
                        "/v1/passport/issue",
                        routes.with(blocking(issue::handle)).guard(mayWait))
                .post("/v1/passport/verify", blocking(verify::verify))
                .post("/v1/passport/verify_batch", blocking(verify::verifyBatch))
                .post("/v1/passport/introspect", blocking(verify::introspect))
                .add(
                        List.of("POST"),
                        "/v1/passport/attenuate",
                        routes.with(blocking(verify::attenuate)).guard(mayWait))
                .post("/v1/passport/revoke", blocking(revoke::handle))
                .get("/v1/passport/epoch", blocking(open::epoch))
                .get("/v1/passport/policy", blocking(policy::handle))
                .get("/v1/keys", blocking(open::jwks))
                // Without the keys the feed says nothing: whoever keeps the office busy must not hide them.
                .add(List.of("GET"), KEYS, routes.with(blocking(open::jwks)).guards())
                .get("/.well-known/openid-configuration", blocking(open::discovery))
                .get("/.well-known/oauth-authorization-server", blocking(open::discovery));
        addFeed(routes, request -> open.revocations(request, parts.readers()));
        return routes;
    }

    /** Readers wait here for long: they have a bound of their own and take no place from other requests. */
    private static void addFeed(Routes routes, BlockingHandler feed) {
        routes.add(
                List.of("GET"),
                "/v1/passport/revocations",
                routes.with(blocking(feed)).guards().timeout(Duration.ofSeconds(PublicEndpoints.MAX_WAIT_SECONDS + 5)));
    }

    private static BlockingHandler blocking(BlockingHandler handler) {
        return Answers.marked(handler);
    }
}
