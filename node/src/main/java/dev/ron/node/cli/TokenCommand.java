package dev.ron.node.cli;

import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.service.config.Durations;
import dev.ron.token.Refused;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.Shorthand;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.explain.Explainer;
import dev.ron.token.explain.Explanation;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code ron token}: issue, narrow, explain, verify and revoke capability tokens. */
@Command(
        name = "token",
        description = "Issue, narrow, explain, verify and revoke tokens.",
        subcommands = {
            TokenCommand.Issue.class,
            TokenCommand.Attenuate.class,
            TokenCommand.Inspect.class,
            TokenCommand.Verify.class,
            TokenCommand.Revoke.class
        })
final class TokenCommand implements Runnable {
    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** What a token is limited to, as options. */
    static final class Limits {
        @Option(names = "--ttl", paramLabel = "10m", description = "how long it lives")
        @Nullable
        String ttl;

        @Option(names = "--path", paramLabel = "/P/", description = "only at or below this path; repeatable")
        List<String> paths = new ArrayList<>();

        @Option(names = "--scope", paramLabel = "S", description = "only for this operation; repeatable")
        List<String> scopes = new ArrayList<>();

        @Option(names = "--method", paramLabel = "GET", description = "only with this method; repeatable")
        List<String> methods = new ArrayList<>();

        @Option(names = "--caveat", paramLabel = "NAME=VALUE", description = "any other limit, such as ip=10.0.0.0/8")
        List<String> others = new ArrayList<>();

        List<String> caveats() {
            List<String> all = new ArrayList<>(others);
            add(all, "path", paths);
            add(all, "scope", scopes);
            add(all, "method", methods);
            return all;
        }

        private static void add(List<String> all, String name, List<String> values) {
            if (!values.isEmpty()) {
                all.add(name + "=" + String.join(",", values));
            }
        }

        long ttlSeconds() {
            try {
                return ttl == null ? 0 : Math.max(1, Durations.parse(ttl).toSeconds());
            } catch (IllegalArgumentException e) {
                throw new Stop(ExitCode.USAGE, "--ttl: " + ttl, String.valueOf(e.getMessage()), "write 60s, 10m or 1h");
            }
        }
    }

    /** {@code ron token issue}. */
    @Command(name = "issue", description = "Have a running node issue a token.")
    static final class Issue implements Callable<Integer> {
        @Mixin
        ClientKey client;

        @Mixin
        Limits limits;

        @Option(names = "--tenant", paramLabel = "T", description = "whose token it is")
        @Nullable
        String tenant;

        @Option(names = "--subject", paramLabel = "S", description = "who will use it (default: ${DEFAULT-VALUE})")
        String subject = "cli";

        @Option(names = "--audience", paramLabel = "SVC", description = "service it is meant for; repeatable")
        List<String> audiences = new ArrayList<>();

        @Option(names = "--hybrid", description = "co-signed with ML-DSA-65, where the office can")
        boolean hybrid;

        @Option(names = "--json", description = "print the whole answer")
        boolean json;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            ObjectNode order = JsonMapper.shared().createObjectNode().put("subject_ref", subject);
            ArrayNode audience = order.putArray("audience");
            (audiences.isEmpty() ? List.of("svc-demo", "svc-gateway") : audiences).forEach(audience::add);
            if (hybrid) {
                order.putArray("accept_algs").add("ed25519+ml-dsa").add("ed25519");
            }
            if (tenant != null) {
                order.put("tenant", tenant);
            }
            if (limits.ttlSeconds() > 0) {
                order.put("ttl_s", limits.ttlSeconds());
            }
            limits.caveats().forEach(order.putArray("caveats")::add);
            JsonNode answer = client.post("/v1/passport/issue", order.toString());
            spec.commandLine()
                    .getOut()
                    .println(json ? answer.toString() : answer.path("token").asString(""));
            return ExitCode.OK.code();
        }
    }

    /** {@code ron token attenuate}: needs no node. */
    @Command(name = "attenuate", description = "Narrow a token; works offline.")
    static final class Attenuate implements Callable<Integer> {
        @Mixin
        Limits limits;

        @Mixin
        TokenText token;

        @Option(names = "--seal", description = "nobody can narrow the result further")
        boolean seal;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            long now = Instant.now().getEpochSecond();
            try {
                List<Caveat> caveats = new ArrayList<>();
                for (String text : limits.caveats()) {
                    caveats.add(Shorthand.parse(text, now));
                }
                if (limits.ttlSeconds() > 0) {
                    caveats.add(new Caveat.Expires(now + limits.ttlSeconds()));
                }
                if (caveats.isEmpty()) {
                    throw new Stop(
                            ExitCode.USAGE,
                            "nothing to narrow",
                            "no limit is named",
                            "say how: --ttl, --path, --scope, --method or --caveat");
                }
                Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
                SecureRandom random = new SecureRandom();
                String narrow = seal
                        ? attenuator.attenuateFinally(token.get(), caveats, now, random)
                        : attenuator.attenuate(token.get(), caveats, now, random);
                spec.commandLine().getOut().println(narrow);
                return ExitCode.OK.code();
            } catch (Refused refused) {
                throw new Stop(
                        ExitCode.NO,
                        "the token cannot be narrowed",
                        refused.reason().wire() + ": " + refused.detail(),
                        "ron token inspect TOKEN says what it is");
            }
        }
    }

    /** {@code ron token inspect}: needs no node. */
    @Command(
            name = "inspect",
            description = "Explain a token in words; works offline. Exit code 1 when it would be refused.")
    static final class Inspect implements Callable<Integer> {
        private static final long SKEW_SECONDS = 60;

        @Mixin
        TokenText token;

        @Option(names = "--json", description = "print the same as a document")
        boolean json;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            Explanation explanation = new Explainer(Signatures.best(), Caps.DEFAULT, SKEW_SECONDS)
                    .explain(token.get(), Instant.now().getEpochSecond());
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(document(explanation));
            } else {
                print(explanation, out);
            }
            out.flush();
            return explanation.objections().isEmpty() ? ExitCode.OK.code() : ExitCode.NO.code();
        }

        private static void print(Explanation explanation, PrintWriter out) {
            explanation.facts().forEach(out::println);
            explanation
                    .restrictions()
                    .forEach(limit -> out.println("  " + limit.words()
                            + (limit.block() == 0 ? "" : " (added in block " + limit.block() + ")")));
            explanation
                    .objections()
                    .forEach(no -> out.println("REFUSED " + no.reason().wire() + ": " + no.words()));
            explanation.unchecked().forEach(unknown -> out.println("not checked: " + unknown));
            if (explanation.objections().isEmpty()) {
                out.println("nothing that can be seen offline speaks against it");
            }
        }

        private static ObjectNode document(Explanation explanation) {
            ObjectNode out = JsonMapper.shared().createObjectNode();
            out.put("ok", explanation.objections().isEmpty());
            explanation.facts().forEach(out.putArray("facts")::add);
            ArrayNode restrictions = out.putArray("restrictions");
            explanation
                    .restrictions()
                    .forEach(limit -> restrictions
                            .addObject()
                            .put("block", limit.block())
                            .put("type", limit.type())
                            .put("words", limit.words()));
            ArrayNode objections = out.putArray("objections");
            explanation
                    .objections()
                    .forEach(no -> objections
                            .addObject()
                            .put("reason", no.reason().wire())
                            .put("words", no.words()));
            explanation.unchecked().forEach(out.putArray("unchecked")::add);
            return out;
        }
    }

    /** {@code ron token verify}. */
    @Command(name = "verify", description = "Ask a running node whether a token is good; exit code 1 when it is not.")
    static final class Verify implements Callable<Integer> {
        @Mixin
        ClientKey client;

        @Mixin
        TokenText token;

        @Option(names = "--json", description = "print the whole answer")
        boolean json;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            JsonNode answer = client.post("/v1/passport/verify", body(token.get()));
            boolean good = answer.path("ok").asBoolean(false);
            String words = good
                    ? "good"
                    : "refused: " + answer.path("reason").asString("") + ", "
                            + answer.path("detail").asString("");
            spec.commandLine().getOut().println(json ? answer.toString() : words);
            return good ? ExitCode.OK.code() : ExitCode.NO.code();
        }
    }

    /** {@code ron token revoke}. */
    @Command(name = "revoke", description = "Have a running node revoke a token.")
    static final class Revoke implements Callable<Integer> {
        @Mixin
        ClientKey client;

        @Mixin
        TokenText token;

        @Spec
        CommandSpec spec;

        @Override
        public Integer call() {
            JsonNode answer = client.post("/v1/passport/revoke", body(token.get()));
            spec.commandLine()
                    .getOut()
                    .println("revoked, feed sequence " + answer.path("seq").asLong(0));
            return ExitCode.OK.code();
        }
    }

    private static String body(String token) {
        return JsonMapper.shared().createObjectNode().put("token", token).toString();
    }
}
