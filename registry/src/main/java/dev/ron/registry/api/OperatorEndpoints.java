package dev.ron.registry.api;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.Routes;
import dev.ron.registry.book.Answer;
import dev.ron.registry.book.Command;
import dev.ron.registry.commit.Counter;
import dev.ron.service.ops.OperatorGuard;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an operator does to the log, on the ops plane only: stops every change, and lets changes happen again. */
public final class OperatorEndpoints {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final String UNSAID = "no reason given";
    private static final StrictJson JSON = new StrictJson();

    private final Counter ctl;
    private final Runnable checkAgain;

    /** The body of both actions. */
    record Asked(Optional<String> reason) {}

    /** @param checkAgain has the whole log verified anew, so that a thaw does not hide what is still wrong */
    public OperatorEndpoints(Counter ctl, Runnable checkAgain) {
        this.ctl = ctl;
        this.checkAgain = checkAgain;
    }

    /** Adds the routes; {@code live} gives the endpoints once the service is up. */
    public static void addTo(Routes routes, OperatorGuard guard, Supplier<OperatorEndpoints> live) {
        BlockingHandler freeze = request -> live.get().freeze(request);
        BlockingHandler thaw = request -> live.get().thaw(request);
        routes.add(
                        List.of("POST"),
                        "/api/v1/registry/freeze",
                        routes.with(freeze).guard(guard))
                .add(List.of("POST"), "/api/v1/registry/thaw", routes.with(thaw).guard(guard));
    }

    private Response freeze(Request request) {
        return ask(request, new Command.Freeze(reason(request)));
    }

    private Response thaw(Request request) {
        Response done = ask(request, new Command.Thaw(reason(request)));
        checkAgain.run();
        return done;
    }

    private static String reason(Request request) {
        return request.json(JSON, Asked.class).reason().orElse(UNSAID);
    }

    private Response ask(Request request, Command command) {
        String by = request.headers().first("X-Operator").orElse("operator");
        Answer.Done answer = (Answer.Done) ctl.ask(command, by);
        AUDIT.info("the registry is {}, by {}", answer.what(), by);
        return Response.json(200, "{\"state\":\"" + answer.what() + "\"}");
    }
}
