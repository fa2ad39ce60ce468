package dev.ron.http.server;

import dev.ron.http.guard.Guard;
import dev.ron.http.route.Router;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Collects the routes of a host; every mistake is an {@link IllegalArgumentException} at the call that makes it. */
public final class Routes {
    private final HostConfig config;
    private final List<Guard> guards;
    private final Router.Builder<Route> router = Router.builder();
    private final List<String> listed = new ArrayList<>();

    /** {@code guards} is the chain of every route that does not say otherwise, outermost first. */
    public Routes(HostConfig config, Guard... guards) {
        this.config = config;
        this.guards = List.of(guards);
    }

    public Routes get(String template, Handler handler) {
        return add(List.of("GET"), template, handler);
    }

    public Routes post(String template, Handler handler) {
        return add(List.of("POST"), template, handler);
    }

    public Routes add(Collection<String> methods, String template, Handler handler) {
        return add(methods, template, with(handler));
    }

    public Routes add(Collection<String> methods, String template, Options options) {
        router.add(methods, template, options.build());
        methods.forEach(method -> listed.add(method + " " + template));
        return this;
    }

    /** A handler with the host's limits, to be changed one by one. */
    public Options with(Handler handler) {
        return new Options(handler, config, guards);
    }

    /** Method and template of every route, as they were added. */
    public List<String> listed() {
        return List.copyOf(listed);
    }

    public Router<Route> build() {
        return router.build();
    }

    /** The limits of one route. */
    public static final class Options {
        private final Handler handler;
        private final List<Guard> guards;
        private Duration timeout;
        private long maxBodyBytes;

        private Options(Handler handler, HostConfig config, List<Guard> guards) {
            this.handler = handler;
            this.guards = new ArrayList<>(guards);
            this.timeout = config.requestTimeout();
            this.maxBodyBytes = config.body().maxBytes();
        }

        public Options timeout(Duration limit) {
            timeout = limit;
            return this;
        }

        public Options maxBodyBytes(long limit) {
            maxBodyBytes = limit;
            return this;
        }

        /** Adds a guard behind those there are. */
        public Options guard(Guard guard) {
            guards.add(guard);
            return this;
        }

        /** Replaces the whole chain: for probes that must answer under load, and for hosts that admit later. */
        public Options guards(Guard... chain) {
            guards.clear();
            guards.addAll(List.of(chain));
            return this;
        }

        private Route build() {
            return new Route(handler, timeout, maxBodyBytes, guards);
        }
    }
}
