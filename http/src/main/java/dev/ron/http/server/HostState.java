package dev.ron.http.server;

import dev.ron.http.guard.ConnectionCap;
import dev.ron.http.guard.DecodeGuard;
import dev.ron.http.message.Response;
import dev.ron.http.route.Router;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.task.TaskBody;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** What all connections of one host share, and the count of what is in hand. */
final class HostState {
    private static final String UNREAD = "-";

    private volatile HostConfig config;
    private final Clock clock;
    private volatile Router<Route> router;
    private final RouteMeters meters;
    private final RefusalCounts refusals;
    private final AccessLog accessLog;
    private final ConnectionCap connections;
    private final Function<TaskBody, Task> spawn;
    private final DecodeGuard decoding;
    private final BufferBudget buffers;
    private final AtomicInteger inflight = new AtomicInteger();
    private final AtomicLong unsent = new AtomicLong();
    private final Newcomers newcomers = new Newcomers();
    private final Waiters changes = new Waiters();
    private volatile boolean leaving;
    private volatile boolean draining;

    HostState(
            HostConfig config,
            Clock clock,
            Router<Route> router,
            RouteMeters meters,
            RefusalCounts refusals,
            AccessLog accessLog,
            Function<TaskBody, Task> spawn,
            DecodeGuard decoding) {
        this.config = config;
        this.clock = clock;
        this.router = router;
        this.meters = meters;
        this.refusals = refusals;
        this.accessLog = accessLog;
        this.connections = new ConnectionCap(config.maxConns(), config.maxConnsPerSource());
        this.spawn = spawn;
        this.decoding = decoding;
        this.buffers = new BufferBudget(config.front().bufferBudgetBytes());
    }

    HostConfig config() {
        return config;
    }

    /** Takes other limits: routes at once, connections from the next one on. */
    void reconfigure(HostConfig limits, Router<Route> routes) {
        config = limits;
        router = routes;
        connections.resize(limits.maxConns(), limits.maxConnsPerSource());
    }

    Clock clock() {
        return clock;
    }

    Router<Route> router() {
        return router;
    }

    /** What answers over HTTP/2 have written and sockets have not taken yet. */
    AtomicLong unsent() {
        return unsent;
    }

    RefusalCounts refusals() {
        return refusals;
    }

    /** Reports an answer: counted always, logged where the log wants it. */
    void answered(ServerExchange exchange, int status, String reason, long nanos, long bytesIn, long bytesOut) {
        meters.of(exchange.method(), exchange.route()).answered(status, nanos, bytesIn, bytesOut);
        if (accessLog.wants(status)) {
            accessLog.log(new AccessLog.Entry(
                    exchange.method(),
                    exchange.path(),
                    exchange.route(),
                    status,
                    reason,
                    nanos,
                    bytesIn,
                    bytesOut,
                    exchange.corrId().toString(),
                    exchange.peer(),
                    exchange.details()));
        }
    }

    /** Reports the answer to bytes that never became a request. */
    void unreadable(Response answer, String reason, long nanos, CorrId corrId, SocketAddress peer) {
        String route = RouteMeters.NO_ROUTE;
        int status = answer.status();
        long bytesOut = answer.body().length;
        meters.of(UNREAD, route).answered(status, nanos, 0, bytesOut);
        if (accessLog.wants(status)) {
            accessLog.log(new AccessLog.Entry(
                    UNREAD, "", route, status, reason, nanos, 0, bytesOut, corrId.toString(), peer, Map.of()));
        }
    }

    ConnectionCap connections() {
        return connections;
    }

    Task spawn(TaskBody body) {
        return spawn.apply(body);
    }

    DecodeGuard decoding() {
        return decoding;
    }

    /** What bodies that wait for their handlers may hold. */
    BufferBudget buffers() {
        return buffers;
    }

    /** Whether the next answer of each connection is its last; requests are still served. */
    boolean leaving() {
        return leaving;
    }

    void startLeaving() {
        leaving = true;
    }

    /** Whether new requests are refused. */
    boolean draining() {
        return draining;
    }

    void startDraining() {
        draining = true;
    }

    int inflight() {
        return inflight.get();
    }

    void began() {
        inflight.incrementAndGet();
    }

    void ended() {
        int left = inflight.decrementAndGet();
        if (draining && left == 0) {
            changes.signalAll();
        }
    }

    Newcomers newcomers() {
        return newcomers;
    }

    void connected() {
        newcomers.accepted();
    }

    void disconnected(Caller caller) {
        known(caller);
        if (leaving) {
            changes.signalAll();
        }
    }

    /** The caller has asked something that is let in, or has gone: nobody waits for it to ask any more. */
    void known(Caller caller) {
        if (caller.becomesKnown() && newcomers.known() && leaving) {
            changes.signalAll();
        }
    }

    /** Waits until every request in hand is answered; false when the deadline passes first. */
    boolean awaitAnswered(Deadline deadline) {
        return changes.await("requests in flight", deadline, () -> inflight.get() == 0 ? Boolean.TRUE : null) != null;
    }

    /** Waits until every connection has taken leave, or {@code enough}, which must be followed by {@link #wake}. */
    void awaitDisconnected(Deadline deadline, BooleanSupplier enough) {
        changes.await(
                "leaving connections",
                deadline,
                () -> (connections.open() == 0 || enough.getAsBoolean()) ? Boolean.TRUE : null);
    }

    void wake() {
        changes.signalAll();
    }

    boolean awaitDisconnected(Deadline deadline) {
        return changes.await("open connections", deadline, () -> connections.open() == 0 ? Boolean.TRUE : null) != null;
    }
}
