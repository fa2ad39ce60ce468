package dev.ron.passport.api;

import dev.ron.http.message.Request;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.office.OfficeState;
import dev.ron.service.keys.Bearer;
import dev.ron.service.keys.TokenGate;
import dev.ron.token.Reason;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.pct.Chain;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Lets clients in by their key, or by a capability whose scope names what they ask for. */
final class Door {
    static final String AUDIENCE = "svc-passport";

    private final Supplier<OfficeState> office;
    private final Inspector inspector;
    private final Clock clock;

    Door(Supplier<OfficeState> office, Inspector inspector, Clock clock) {
        this.office = office;
        this.inspector = inspector;
        this.clock = clock;
    }

    /** A client that has this right. */
    Caller require(Request request, Right right) {
        String shown = Bearer.of(request);
        if (shown.startsWith("pct1~")) {
            return capability(shown, request, right);
        }
        Client client = known(shown);
        if (!client.may(right)) {
            throw new RonException(
                    Code.FORBIDDEN, "forbidden", "client " + client.id() + " has no right to " + right.word());
        }
        return Caller.of(client);
    }

    /** Any client. */
    Client requireAny(Request request) {
        return known(Bearer.of(request));
    }

    private Client known(String shown) {
        return ApiKey.parse(shown)
                .flatMap(key -> key.owner(office.get().clients()))
                .orElseThrow(() ->
                        new RonException(Code.UNAUTHENTICATED, "unauthenticated", "the client key is not known here"));
    }

    private Caller capability(String token, Request request, Right right) {
        String operation = "passport:" + right.word();
        RequestContext context = RequestContext.at(clock.now().getEpochSecond())
                .method(request.method())
                .path(request.path())
                .scope(operation)
                .contentLength(request.body().length)
                .build();
        Inspector.Finding finding = inspector.inspect(token, AUDIENCE, context, true);
        if (!(finding.decision() instanceof Decision.Allow allow)
                || finding.chain().isEmpty()) {
            throw Bearer.denied((Decision.Deny) finding.decision());
        }
        Chain chain = finding.chain().get();
        List<Caveat> caveats =
                chain.caveats().stream().map(Chain.Placed::caveat).toList();
        // No scope at all means no limit at a gateway; here it must be said.
        if (caveats.stream()
                .noneMatch(caveat ->
                        caveat instanceof Caveat.Scope(List<String> operations) && operations.contains(operation))) {
            throw Bearer.denied(Reason.CAV_SCOPE, "the token does not name the scope " + operation);
        }
        TokenGate.requireNothingCounted(allow.obligations());
        Client client = new Client(
                allow.principal().clientId(),
                "",
                "",
                List.of(allow.principal().tenant()),
                Set.of(right),
                chain.claims().aud(),
                0);
        return new Caller(client, caveats, allow.principal().expiresAt());
    }
}
