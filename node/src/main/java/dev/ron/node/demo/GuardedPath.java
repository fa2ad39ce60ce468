package dev.ron.node.demo;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.kernel.error.RonException;
import dev.ron.service.keys.Bearer;
import dev.ron.service.keys.TokenGate;
import dev.ron.token.verify.Principal;

/** {@code /guarded}: answers only who shows a token that allows the request. */
final class GuardedPath implements BlockingHandler {
    private final TokenGate gate;

    GuardedPath(TokenGate gate) {
        this.gate = gate;
    }

    @Override
    public Response handle(Request request) {
        try {
            Principal who = gate.require(request);
            return Response.text("welcome " + who.sub() + " of " + who.tenant() + "\n")
                    .withHeader("Cache-Control", "no-store");
        } catch (RonException refused) {
            return Bearer.answer(refused, request);
        }
    }
}
