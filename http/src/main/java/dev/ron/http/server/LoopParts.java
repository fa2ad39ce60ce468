package dev.ron.http.server;

import dev.ron.http.guard.ConnectionCap;
import dev.ron.http.loop.LentBuffer;
import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.kernel.time.Clock;
import io.netty.channel.RecvByteBufAllocator;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the connections of one host on one event loop share; touched on that loop only. */
final class LoopParts {
    private static final int LENT = 4 << 10; // most requests

    private final Headers everywhere;
    private HostConfig.HeadLimits limits;
    private HeadParser parser;
    private final HeadEncoder encoder;
    private final CorrIds corrIds;
    private final TimerWheel timers;
    private final RecvByteBufAllocator reading = new LentBuffer(LENT).forReading();
    private final Set<Served> connections = new HashSet<>();

    LoopParts(HostConfig config, Headers everywhere, Clock clock, TimerWheel timers) {
        this.everywhere = everywhere;
        this.limits = config.head();
        this.parser = new HeadParser(config.head());
        this.encoder = new HeadEncoder(clock, everywhere.wire());
        this.corrIds = new CorrIds(clock);
        this.timers = timers;
    }

    /** The fields of every answer. */
    Headers everywhere() {
        return everywhere;
    }

    /** A parser under these limits; shared while they stay the same. */
    HeadParser parser(HostConfig.HeadLimits now) {
        if (!limits.equals(now)) {
            limits = now;
            parser = new HeadParser(now);
        }
        return parser;
    }

    HeadEncoder encoder() {
        return encoder;
    }

    CorrIds corrIds() {
        return corrIds;
    }

    TimerWheel timers() {
        return timers;
    }

    /** Where to a plain connection reads. */
    RecvByteBufAllocator reading() {
        return reading;
    }

    void add(Served connection) {
        connections.add(connection);
    }

    void remove(Served connection) {
        connections.remove(connection);
    }

    /**
     * The connection to ask to go, among those that were idle before a moment: one of this network if there is one, else
     * the one that is idle longest.
     */
    Optional<Served> idlest(InetAddress from, long before) {
        @Nullable Served found = null;
        for (Served one : connections) {
            boolean idle = one.idleSince() != Turn.NEVER && one.idleSince() < before;
            if (idle && (found == null || better(one, found, from))) {
                found = one;
            }
        }
        return Optional.ofNullable(found);
    }

    private static boolean better(Served one, Served than, InetAddress from) {
        boolean wanted = ConnectionCap.network(one.source()).equals(from);
        return wanted == ConnectionCap.network(than.source()).equals(from)
                ? one.idleSince() < than.idleSince()
                : wanted;
    }

    /** A copy: what is done to a connection may end it. */
    List<Served> connections() {
        return new ArrayList<>(connections);
    }
}
