package dev.ron.service.health;

import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Liveness: one task beats on the virtual-thread scheduler; when it stays silent, nothing else runs either. */
public final class Heartbeat {
    public static final Duration STUCK = Duration.ofSeconds(5);

    private final Clock clock;
    private final Instant built;
    private final AtomicLong last;

    /** @param built no right clock can be before the build */
    public Heartbeat(Clock clock, Instant built) {
        this.clock = clock;
        this.built = built;
        this.last = new AtomicLong(clock.nanos());
    }

    public void beat() {
        last.set(clock.nanos());
    }

    public boolean alive() {
        return clock.nanos() - last.get() <= STUCK.toNanos();
    }

    /** The body of {@code /healthz}. */
    public byte[] body(boolean stopped) {
        ObjectNode out = JsonMapper.shared().createObjectNode();
        out.put("ok", alive() && !stopped);
        ObjectNode checks = out.putObject("checks");
        checks.put("scheduler", alive() ? "ok" : "stuck");
        checks.put("clock", clock.now().isBefore(built) ? "before_build" : "ok");
        return JsonMapper.shared().writeValueAsBytes(out);
    }
}
