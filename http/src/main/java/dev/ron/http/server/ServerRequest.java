package dev.ron.http.server;

import dev.ron.http.guard.Guard;
import dev.ron.http.message.Headers;
import dev.ron.http.message.RequestHead;
import dev.ron.http.route.Match;
import dev.ron.http.route.PathParams;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is asked: the head, and what admission finds out about it step by step. */
abstract class ServerRequest implements RequestHead {
    private final ParsedHead head;
    private final CorrId corrId;
    private final Clock clock;
    private final long startNanos;
    private String path = "";
    private String query = "";
    private Match.@Nullable Found<Route> found;
    private int passedGuards;
    private long deadlineAt = Long.MAX_VALUE;
    private @Nullable CallContext context;
    private String label = "";

    ServerRequest(ParsedHead head, CorrId corrId, Clock clock, long startNanos) {
        this.head = head;
        this.corrId = corrId;
        this.clock = clock;
        this.startNanos = startNanos;
    }

    final void target(String normalPath, String rawQuery) {
        path = normalPath;
        query = rawQuery;
    }

    final void route(Match.Found<Route> match) {
        found = match;
    }

    final void deadline(long atNanos) {
        deadlineAt = atNanos;
    }

    final void passed() {
        passedGuards++;
    }

    /** Gives back what the guards that let it pass hold for it; once, when it is over. */
    final void leaveGuards() {
        if (passedGuards > 0) {
            List<Guard> guards = match().handler().guards();
            for (int i = 0; i < passedGuards; i++) {
                guards.get(i).leave();
            }
            passedGuards = 0;
        }
    }

    private Match.Found<Route> match() {
        if (found == null) {
            throw new IllegalStateException("no route yet");
        }
        return found;
    }

    final ParsedHead head() {
        return head;
    }

    final CorrId corrId() {
        return corrId;
    }

    final long startNanos() {
        return startNanos;
    }

    final long deadlineNanos() {
        return deadlineAt;
    }

    final Route found() {
        return match().handler();
    }

    /** The template of its route, for labels; a fixed word where there is none. */
    public final String route() {
        if (!label.isEmpty()) {
            return label;
        }
        return found == null ? RouteMeters.NO_ROUTE : found.template().toString();
    }

    public final void label(String route) {
        label = route;
    }

    @Override
    public final String method() {
        return head.method();
    }

    @Override
    public final String path() {
        return path;
    }

    @Override
    public final String query() {
        return query;
    }

    @Override
    public final PathParams params() {
        return match().params();
    }

    @Override
    public final Headers headers() {
        return head.headers();
    }

    /** Made when first asked for: most answers from the loop never are. */
    @Override
    public final CallContext context() {
        CallContext known = context;
        if (known == null) {
            String trace = TraceParent.of(head.headers());
            known = new CallContext(new Deadline(deadlineAt, clock), corrId.toString(), trace, null, null);
            context = known;
        }
        return known;
    }

    @Override
    public final String toString() {
        return head.method() + " " + path;
    }
}
