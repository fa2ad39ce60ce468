package dev.ron.node.cli;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.registry.keys.SignerKey;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * {@code ron registry approve}: shows what is being signed, signs it here, sends the signature.
 *
 * <p>The key never leaves this process. What is shown is read from the very payload whose hash is signed.
 */
@Command(name = "approve", description = "Show what a proposal changes, sign it, and hand the signature in.")
final class RegistryApprove implements Callable<Integer> {
    @Mixin
    RegistryTarget registry;

    @Mixin
    SignerKeyFile keys;

    @Parameters(paramLabel = "ID", description = "the proposal, p_...")
    String id;

    @Option(names = "--key", paramLabel = "FILE", required = true, description = "signer's key file; repeatable")
    List<Path> keyFiles = new ArrayList<>();

    @Option(names = "--reject", description = "vote against it")
    boolean reject;

    @Option(names = "--commit", description = "commit it afterwards")
    boolean commit;

    @Option(
            names = {"-y", "--yes"},
            description = "do not ask")
    boolean yes;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        JsonNode proposal = registry.get("/registry/proposals/" + NodeTarget.quoted(id));
        if (!proposal.has("origin")) {
            throw new Stop(
                    ExitCode.NO,
                    "proposal " + id + " is " + proposal.path("state").asString("closed"),
                    "only an open proposal can be voted on",
                    "see ./ron registry log");
        }
        ChangeSet payload = payload(proposal);
        show(out, proposal, payload);
        if (!yes && !confirmed()) {
            throw new Stop(ExitCode.NO, "nothing was signed", "the answer was not yes", "say y where that is meant");
        }
        for (Path file : keyFiles) {
            SignerKey key = keys.open(file);
            Approval approval = Approval.sign(statement(proposal, payload, key), key.signing());
            JsonNode answer = registry.post(
                    "/registry/approvals/" + NodeTarget.quoted(id),
                    "registry:approve",
                    CanonicalJson.text(approval.toJson()));
            JsonNode quorum = answer.path("quorum");
            out.println(key.signerId() + (reject ? " rejects: " : " approves: ")
                    + quorum.path("have").asInt(0) + " of " + quorum.path("m").asInt(0)
                    + (quorum.path("satisfied").asBoolean(false) ? ", enough to commit" : ""));
            out.flush();
        }
        return commit ? RegistryWrites.commit(registry, id, out) : ExitCode.OK.code();
    }

    private void show(PrintWriter out, JsonNode proposal, ChangeSet payload) {
        out.println("proposal " + id + " by " + proposal.path("proposer").asString("") + ", expires "
                + proposal.path("expires_at").asString(""));
        SignerSet signers;
        try {
            signers = SignerSet.fromJson(
                    RegistryTarget.strict(registry.get("/registry/signers").path("signer_set"), "signer set"),
                    "signer set");
        } catch (Refused e) {
            throw RegistryTarget.refused(e);
        }
        new ChangeText(new Present(registry), signers).of(payload).forEach(out::println);
        out.println("payload " + payload.hash());
        out.flush();
    }

    /** What the registry serves now. */
    private record Present(RegistryTarget registry) implements ChangeText.Present {
        @Override
        public Optional<Descriptor> descriptor(String id) {
            JsonNode found = registry.descriptor(id);
            if (!found.has("descriptor")) {
                return Optional.empty();
            }
            try {
                return Optional.of(Descriptor.fromJson(
                        RegistryTarget.strict(found.path("descriptor"), "descriptor"), "descriptor"));
            } catch (Refused e) {
                throw RegistryTarget.refused(e);
            }
        }

        @Override
        public List<String> ids() {
            return registry.items("/registry/descriptors").stream()
                    .map(item -> item.path("id").asString(""))
                    .toList();
        }
    }

    private static ChangeSet payload(JsonNode proposal) {
        try {
            ChangeSet payload =
                    ChangeSet.fromJson(RegistryTarget.strict(proposal.path("payload"), "payload"), "payload");
            payload.hash()
                    .expect(
                            B3.parse(proposal.path("payload_b3").asString(""), "payload_b3"),
                            dev.ron.ledger.Reason.PAYLOAD_HASH_MISMATCH,
                            "the registry shows another payload than it names");
            return payload;
        } catch (Refused e) {
            throw RegistryTarget.refused(e);
        }
    }

    private Statement statement(JsonNode proposal, ChangeSet payload, SignerKey key) {
        return new Statement(
                proposal.path("origin").asString(""),
                id,
                payload.hash(),
                reject ? Statement.Decision.REJECT : Statement.Decision.APPROVE,
                key.signerId(),
                proposal.path("signer_set_version").asLong(0),
                Instant.now().toEpochMilli(),
                Instant.parse(proposal.path("expires_at").asString("")).toEpochMilli());
    }

    private boolean confirmed() {
        Console console = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .orElseThrow(() -> new Stop(
                        ExitCode.USAGE,
                        "nothing was signed",
                        "there is no terminal to ask on",
                        "in scripts say --yes"));
        String answer = console.readLine("%s this? [y/N] ", reject ? "reject" : "approve");
        return answer != null && answer.strip().equalsIgnoreCase("y");
    }
}
