package dev.ron.passport.api;

import dev.ron.http.message.Request;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.ClientCertificate;
import dev.ron.passport.client.Right;
import dev.ron.passport.office.OfficeState;
import dev.ron.service.keys.Bearer;
import dev.ron.service.keys.Circumstances;
import dev.ron.service.keys.TokenGate;
import dev.ron.token.Reason;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.pct.Chain;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lets clients in by their key, by their certificate, or by a capability whose scope names what they ask for. */
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
        Optional<String> certificate = Circumstances.certificate(request);
        // Who shows a key or a token is that client, also over a connection with a certificate.
        if (certificate.isPresent() && !request.headers().contains("Authorization")) {
            return Caller.of(allowed(holder(certificate.get()), right), certificate.get());
        }
        String shown = Bearer.of(request);
        if (shown.startsWith("pct1~")) {
            return capability(shown, request, right);
        }
        return Caller.of(allowed(known(shown), right), shown);
    }

    /** Any client. */
    Client requireAny(Request request) {
        Optional<String> certificate = Circumstances.certificate(request);
        return certificate.isPresent() && !request.headers().contains("Authorization")
                ? holder(certificate.get())
                : known(Bearer.of(request));
    }

    private static Client allowed(Client client, Right right) {
        if (!client.may(right)) {
            throw new RonException(
                    Code.FORBIDDEN, "forbidden", "client " + client.id() + " has no right to " + right.word());
        }
        return client;
    }

    private Client known(String shown) {
        return ApiKey.parse(shown)
                .flatMap(key -> key.owner(office.get().clients()))
                .orElseThrow(() ->
                        new RonException(Code.UNAUTHENTICATED, "unauthenticated", "the client key is not known here"));
    }

    private Client holder(String thumbprint) {
        return ClientCertificate.owner(thumbprint, office.get().clients())
                .orElseThrow(() -> new RonException(
                        Code.UNAUTHENTICATED,
                        "unauthenticated",
                        "the client certificate is not registered here (ron client add NAME --cert FILE)"));
    }

    private Caller capability(String token, Request request, Right right) {
        String operation = right.scope();
        RequestContext context = Circumstances.of(request, clock)
                .scope(operation)
                .contentLength(request.body().length)
                .build();
        Inspector.Finding finding = inspector.inspect(token, AUDIENCE, context, true);
        if (!(finding.decision() instanceof Decision.Allow allow)
                || finding.chain().isEmpty()) {
            throw Bearer.denied((Decision.Deny) finding.decision());
        }
        Chain chain = finding.chain().get();
        List<Caveat> caveats = new ArrayList<>();
        chain.caveats().forEach(placed -> caveats.add(placed.caveat()));
        // What is asked for with a bound token is bound as well, whatever else it is bound to.
        chain.claims().confirmation().ifPresent(key -> caveats.add(new Caveat.Bind(key)));
        // No scope at all means no limit at a gateway; here it must be said.
        if (!chain.grants(operation)) {
            throw Bearer.denied(Reason.CAV_SCOPE, "the token does not name the scope " + operation);
        }
        TokenGate.requireNothingCounted(allow.obligations());
        Client client = new Client(
                allow.principal().clientId(),
                "",
                "",
                List.of(allow.principal().tenant()),
                granted(chain),
                chain.claims().aud(),
                0);
        return new Caller(client, token, caveats, allow.principal().expiresAt());
    }

    private static Set<Right> granted(Chain chain) {
        return Stream.of(Right.values())
                .filter(right -> chain.grants(right.scope()))
                .collect(Collectors.toSet());
    }
}
