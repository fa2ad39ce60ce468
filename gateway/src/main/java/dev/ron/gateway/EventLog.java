package dev.ron.gateway;

import dev.ron.gateway.arbiter.ArbiterWatch;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.task.TaskScope;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries what happens to the arbiters and upstreams to the log. */
final class EventLog {
    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

    private final Broadcast<GatewayEvent> events;

    EventLog(Broadcast<GatewayEvent> events) {
        this.events = events;
    }

    void publish(GatewayEvent event) {
        events.publish(event);
    }

    /** Who hears about the arbiter of an upstream. */
    ArbiterWatch watch(String upstream) {
        return new ArbiterWatch() {
            @Override
            public void restarted(Throwable cause, int shed) {
                publish(new GatewayEvent.Restarted(upstream, String.valueOf(cause), shed));
            }

            @Override
            public void fellBackToFifo() {
                publish(new GatewayEvent.FellBack(upstream));
            }

            @Override
            public void callerFailed(RuntimeException failure) {
                LOG.error("upstream {}: a request failed when it got its turn", upstream, failure);
                publish(new GatewayEvent.CallerFailed(upstream, String.valueOf(failure)));
            }
        };
    }

    void run(TaskScope scope) {
        Subscription<GatewayEvent> heard = scope.own(events.subscribe("event-log"));
        while (!scope.stopping()) {
            Optional<Received<GatewayEvent>> next = heard.receive(scope.untilStop());
            if (next.isEmpty()) {
                return;
            }
            switch (next.get()) {
                case Received.Item<GatewayEvent>(var _, GatewayEvent event) -> write(event);
                case Received.Lagged<GatewayEvent> _ -> LOG.warn("gateway events were missed");
                case Received.Closed<GatewayEvent> _ -> scope.awaitStop(scope.untilStop());
            }
        }
    }

    private static void write(GatewayEvent event) {
        switch (event) {
            case GatewayEvent.Degraded(String upstream, boolean on, String why) -> {
                if (on) {
                    LOG.warn("upstream {} sheds writes: {}", upstream, why);
                } else {
                    LOG.info("upstream {} takes writes again", upstream);
                }
            }
            case GatewayEvent.Restarted(String upstream, String cause, int shed) ->
                LOG.error(
                        "upstream {}: the scheduler failed ({}), {} waiting requests were shed", upstream, cause, shed);
            case GatewayEvent.FellBack(String upstream) ->
                LOG.error("upstream {} is served first come, first served: its scheduler failed too often", upstream);
            case GatewayEvent.CallerFailed(String upstream, String cause) ->
                LOG.debug("upstream {}: {}", upstream, cause);
        }
    }
}
