package dev.ron.http.server;

import dev.ron.http.guard.Guard;
import java.time.Duration;
import java.util.List;

/**
 * How the requests of one path template are served.
 *
 * @param timeout the longest deadline; shortens the host's, or lengthens it where a route needs more
 * @param maxBodyBytes the cap on the body as sent
 * @param guards the admission chain, outermost first
 */
public record Route(Handler handler, Duration timeout, long maxBodyBytes, List<Guard> guards) {

    public Route {
        guards = List.copyOf(guards);
    }
}
