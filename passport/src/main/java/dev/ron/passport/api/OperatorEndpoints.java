package dev.ron.passport.api;

import dev.ron.http.json.StrictJson;
import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.Routes;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.audit.AuditEvent;
import dev.ron.passport.audit.Auditor;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.ClientCertificate;
import dev.ron.passport.client.Right;
import dev.ron.passport.kms.KmsKey;
import dev.ron.passport.office.Command;
import dev.ron.passport.office.OfficeState;
import dev.ron.service.ops.OperatorGuard;
import dev.ron.token.Refused;
import dev.ron.token.json.Base64Url;
import dev.ron.token.keys.Purpose;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What an operator does to the office, on the ops plane only: keys and clients. */
public final class OperatorEndpoints {
    private static final Logger LOG = LoggerFactory.getLogger("audit");

    private final Supplier<OfficeState> office;
    private final Counter<Command, Command.Receipt> counter;
    private final Auditor auditor;
    private final SecureRandom random;
    private final StrictJson json = new StrictJson();

    /** What to rotate. */
    record Rotation(Optional<String> purpose, Optional<Boolean> now) {}

    /** A client to add. */
    record NewClient(
            String id,
            List<String> tenants,
            Optional<List<String>> rights,
            Optional<List<String>> audiences,
            Optional<Long> maxTtlS,
            Optional<String> certSha256) {}

    /** A client to end. */
    record GoneClient(String id) {}

    public OperatorEndpoints(
            Supplier<OfficeState> office,
            Counter<Command, Command.Receipt> counter,
            Auditor auditor,
            SecureRandom random) {
        this.office = office;
        this.counter = counter;
        this.auditor = auditor;
        this.random = random;
    }

    /** Adds the routes; {@code live} gives the endpoints once the service is up. */
    public static void addTo(Routes routes, OperatorGuard guard, Supplier<OperatorEndpoints> live) {
        routes.get("/api/v1/passport/keys", blocking(request -> live.get().keys()))
                .add(
                        List.of("POST"),
                        "/api/v1/passport/keys/rotate",
                        routes.with(blocking(request -> live.get().rotate(request)))
                                .guard(guard))
                .add(
                        List.of("POST"),
                        "/api/v1/passport/clients",
                        routes.with(blocking(request -> live.get().addClient(request)))
                                .guard(guard))
                .add(
                        List.of("POST"),
                        "/api/v1/passport/clients/remove",
                        routes.with(blocking(request -> live.get().removeClient(request)))
                                .guard(guard));
    }

    private static BlockingHandler blocking(BlockingHandler handler) {
        return handler;
    }

    Response keys() {
        ObjectNode out = Answers.object();
        ArrayNode keys = out.putArray("keys");
        for (KmsKey key : office.get().ring().keys()) {
            ObjectNode one = keys.addObject();
            one.put("kid", key.kid());
            one.put("purpose", key.purpose().wire());
            one.put("state", key.status().name().toLowerCase(Locale.ROOT));
            one.put("created", Instant.ofEpochSecond(key.created()).toString());
            one.put("active_from", Instant.ofEpochSecond(key.from()).toString());
            if (key.until() != Long.MAX_VALUE) {
                one.put("until", Instant.ofEpochSecond(key.until()).toString());
            }
        }
        return Answers.ok(out);
    }

    Response rotate(Request request) {
        Rotation asked = json.read(request.body(), Rotation.class);
        Purpose purpose = Purpose.of(asked.purpose().orElse("pct"))
                .orElseThrow(() -> Inputs.bad("bad_request", "purpose (expected: pct, pct-pq, jwt, jwt-es256, feed)"));
        boolean now = asked.now().orElse(false);
        return Answers.ok(RevokeEndpoint.document(carryOut(new Command.Rotate(purpose, now))));
    }

    private Command.Receipt carryOut(Command command) {
        Command.Receipt receipt = counter.ask(command);
        AuditEvent event = AuditEvent.done("operator", command, receipt);
        auditor.note(event);
        LOG.atInfo()
                .addKeyValue("action", event.action())
                .addKeyValue("facts", event.facts())
                .log("operator action");
        return receipt;
    }

    Response addClient(Request request) {
        NewClient asked = json.read(request.body(), NewClient.class);
        if (!asked.id().matches("[-._a-zA-Z0-9]{1,64}") || asked.tenants().isEmpty()) {
            throw Inputs.bad("bad_request", "id and tenants (expected: a plain name, and at least one tenant or *)");
        }
        Set<Right> rights = new TreeSet<>();
        for (String word : asked.rights().orElse(List.of("issue", "verify"))) {
            rights.add(Right.of(word)
                    .orElseThrow(
                            () -> Inputs.bad("bad_request", "rights (expected: issue, verify, introspect, revoke)")));
        }
        if (office.get().clients().values().stream().anyMatch(c -> c.id().equals(asked.id()))) {
            throw new RonException(Code.CONFLICT, "client_exists", "client " + asked.id() + " exists already");
        }
        ApiKey key = ApiKey.random(random);
        Optional<String> certificate = asked.certSha256().map(OperatorEndpoints::thumbprint);
        Client client = new Client(
                asked.id(),
                certificate.map(ClientCertificate::prefix).orElse(key.prefix()),
                certificate.orElse(key.hash()),
                asked.tenants(),
                rights,
                asked.audiences().orElse(List.of()),
                asked.maxTtlS().orElse(0L));
        if (office.get().clients().containsKey(client.prefix())) {
            throw new RonException(Code.CONFLICT, "client_exists", "this certificate belongs to another client");
        }
        carryOut(new Command.KeepClient(client));
        ObjectNode answer = Answers.object().put("id", client.id());
        return Answers.ok(
                certificate.isPresent()
                        ? answer.put("cert_sha256", certificate.get())
                        : answer.put("key", key.reveal()));
    }

    Response removeClient(Request request) {
        GoneClient asked = json.read(request.body(), GoneClient.class);
        carryOut(new Command.DropClient(asked.id()));
        return Answers.ok(Answers.object().put("id", asked.id()));
    }

    private static String thumbprint(String text) {
        try {
            return Base64Url.encode(Base64Url.decode(text, 32, "cert_sha256"));
        } catch (Refused e) {
            throw Inputs.bad("bad_request", e.detail());
        }
    }
}
