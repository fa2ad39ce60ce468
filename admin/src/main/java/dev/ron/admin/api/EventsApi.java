package dev.ron.admin.api;

import dev.ron.admin.auth.Identity;
import dev.ron.admin.live.Streams;
import dev.ron.http.message.QueryParams;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.TaskKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Opens streams of events: who asks is found out on a thread of its own, the stream itself lives on the loop. */
final class EventsApi implements StreamHandler {
    private static final int MAX_NODES = 16;

    private final Door door;
    private final Streams streams;
    private final TaskKind openers;

    EventsApi(Door door, Streams streams, TaskKind openers) {
        this.door = door;
        this.streams = streams;
        this.openers = openers;
    }

    @Override
    public void handle(Exchange exchange) {
        openers.spawn(scope -> open(exchange));
    }

    private void open(Exchange exchange) {
        try {
            Identity identity = door.admit(Endpoint.EVENTS.access(), exchange);
            Streams.Place place = streams.reserve(identity, nodes(exchange));
            String last = exchange.headers().first("Last-Event-ID").orElse("");
            onLoop(exchange, place::giveBack, () -> {
                if (exchange.over() || exchange.answered()) {
                    place.giveBack();
                } else {
                    place.open(exchange, last);
                }
            });
        } catch (RonException refused) {
            onLoop(exchange, () -> {}, () -> exchange.respond(Door.problem(refused, exchange)));
        }
    }

    private static void onLoop(Exchange exchange, Runnable otherwise, Runnable step) {
        try {
            exchange.loop().execute(step);
        } catch (java.util.concurrent.RejectedExecutionException _) {
            otherwise.run();
        }
    }

    private static Set<String> nodes(Exchange exchange) {
        Set<String> ids = new LinkedHashSet<>();
        for (String list : QueryParams.parse(exchange.query()).all("nodes")) {
            for (String id : List.of(list.split(",", -1))) {
                if (!id.isEmpty()) {
                    ids.add(id);
                }
            }
        }
        if (ids.size() > MAX_NODES) {
            throw new RonException(Code.BAD_REQUEST, "bad_request", "nodes: " + ids.size() + " (expected: at most 16)");
        }
        return ids;
    }
}
