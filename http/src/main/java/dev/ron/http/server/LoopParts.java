package dev.ron.http.server;

import dev.ron.http.loop.TimerWheel;
import dev.ron.kernel.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the connections of one host on one event loop share; touched on that loop only. */
final class LoopParts {
    private final HeadParser parser;
    private final HeadEncoder encoder;
    private final CorrIds corrIds;
    private final TimerWheel timers;
    private final Set<Served> connections = new HashSet<>();

    LoopParts(HostConfig config, Clock clock, TimerWheel timers) {
        this.parser = new HeadParser(config.head());
        this.encoder = new HeadEncoder(clock);
        this.corrIds = new CorrIds(clock);
        this.timers = timers;
    }

    HeadParser parser() {
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

    void add(Served connection) {
        connections.add(connection);
    }

    void remove(Served connection) {
        connections.remove(connection);
    }

    /** A copy: what is done to a connection may end it. */
    List<Served> connections() {
        return new ArrayList<>(connections);
    }
}
