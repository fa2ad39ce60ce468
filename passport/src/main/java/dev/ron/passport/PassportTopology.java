package dev.ron.passport;

import static dev.ron.kernel.topology.Topology.broadcast;
import static dev.ron.kernel.topology.Topology.lane;
import static dev.ron.kernel.topology.Topology.mailbox;
import static dev.ron.kernel.topology.Topology.permits;
import static dev.ron.kernel.topology.Topology.task;
import static dev.ron.kernel.topology.Topology.watch;

import dev.ron.http.server.HostParts;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.kernel.topology.WatchSpec;

/** Tasks, queues and bounds of svc-passport; docs/design/topology/passport.md is generated from here. */
public final class PassportTopology {
    private static final int MAX_POOL = 8;
    private static final int SIGN_QUEUE = 64;
    private static final int VERIFY_QUEUE = 256;

    static final HostParts HOST = HostParts.of("passport", 512);

    static final MailboxSpec ISSUE = mailbox("issue", 512)
            .from("passport-request")
            .to("issuance")
            .onFull(OnFull.REJECT_NEW)
            .onDrain(OnDrain.FINISH);
    static final MailboxSpec REVOKE = mailbox("revoke", 256)
            .from("passport-request")
            .to("revocation")
            .onFull(OnFull.REJECT_NEW)
            .onDrain(OnDrain.FINISH)
            .stage(Stage.WRITERS);
    static final MailboxSpec AUDIT = mailbox("audit", 2048)
            .from("issuance, passport-request")
            .to("audit")
            .onFull(OnFull.REJECT_NEW)
            .onDrain(OnDrain.FINISH)
            .stage(Stage.PUBLISHERS);
    static final BroadcastSpec POLICY =
            broadcast("policy", 1024).from("config-watcher, registry-sync").to("issuance");
    static final WatchSpec FEED = watch("feed").from("revocation").to("passport-request");
    static final WatchSpec HINT = watch("registry_hint")
            .from("bus-subscriber, registry-watch, config-watcher")
            .to("registry-sync");

    static final TaskSpec ISSUANCE = task("issuance")
            .critical(TaskSpec.Criticality.CRITICAL)
            .instances("min(cores, 8)")
            .does("checks an order against the policy, has it signed, answers with the token");
    static final TaskSpec REVOCATION = task("revocation")
            .critical(TaskSpec.Criticality.HIGH)
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.WRITERS)
            .does("the one writer: journals revocations, epochs, keys and clients before they are acknowledged");
    static final TaskSpec AUDITOR = task("audit")
            .runner(TaskSpec.Runner.PLATFORM)
            .stage(Stage.PUBLISHERS)
            .does("writes what was issued, revoked and changed to a chained file");
    static final TaskSpec BUS_SUBSCRIBER =
            task("bus-subscriber").stage(Stage.WATCHERS).does("hears of registry and policy news and hints them on");
    static final TaskSpec REGISTRY_SYNC = task("registry-sync")
            .stage(Stage.WORK)
            .does("fetches and verifies the issuer policy; idle until a registry is configured");
    static final TaskSpec REGISTRY_WATCH = task("registry-watch")
            .stage(Stage.WORK)
            .does("waits at the registry for its log to grow; idle until a registry is configured");
    static final TaskSpec CONFIG_WATCHER = task("config-watcher")
            .stage(Stage.WATCHERS)
            .does("turns a new configuration into limits and, without a registry, into a policy");

    /** Three quarters of the requests in hand: a key service that stalls must not end verification and revocation. */
    static final PermitsSpec SIGNING = permits("signing", signingOf(512)).of("requests that may wait for a signature");

    static final PermitsSpec FEED_READERS = permits("feed-readers", 256).of("verifiers that wait for revocations");
    static final PermitsSpec OWN_FEED_READERS =
            permits("own-feed-readers", 32).of("those of this process, on the ops plane");

    private PassportTopology() {}

    /** Workers that issue: one per core, at most eight. */
    static int poolSize() {
        return Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MAX_POOL);
    }

    /** How many of the requests in hand may wait for a signature. */
    static int signingOf(int inflight) {
        return inflight * 3 / 4;
    }

    static LaneSpec sign(int threads) {
        return lane("kms", threads, SIGN_QUEUE).stage(Stage.PUBLISHERS);
    }

    /** A lane of its own, so that a stalled signature for a token does not keep the feed from being signed. */
    static LaneSpec signFeed() {
        return lane("kms-feed", 1, SIGN_QUEUE).stage(Stage.PUBLISHERS);
    }

    /** Where the name of the registry's host is looked up. */
    static LaneSpec names() {
        return lane("names", 1, 16);
    }

    static LaneSpec verify(int threads) {
        return lane("verify", threads, VERIFY_QUEUE);
    }

    /** The topology with pools of this many threads. */
    public static Topology of(int threads) {
        return Topology.of(
                "passport",
                "The passport office: orders and revocations wait in bounded queues, one writer keeps the state, and"
                        + " verification goes on when issuing cannot.",
                HOST.request(),
                HOST.inflight(),
                HOST.decode(),
                ISSUE,
                REVOKE,
                AUDIT,
                POLICY,
                FEED,
                HINT,
                ISSUANCE,
                REVOCATION,
                AUDITOR,
                BUS_SUBSCRIBER,
                REGISTRY_SYNC,
                REGISTRY_WATCH,
                CONFIG_WATCHER,
                SIGNING,
                FEED_READERS,
                OWN_FEED_READERS,
                sign(threads),
                signFeed(),
                names(),
                verify(threads));
    }
}
